import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../src/data";
import { phases, rateOf } from "../../src/phase-plot";

test("a rate is found by its name", () => {
  const all = ["height", "height_rate", "bird_angle", "bird_angular_velocity", "angle", "angular_velocity", "x"];
  assert.equal(rateOf("height", all), "height_rate");
  assert.equal(rateOf("bird_angle", all), "bird_angular_velocity");
  assert.equal(rateOf("angle", all), "angular_velocity");
  assert.equal(rateOf("x", all), null);
});

test("a phase needs both columns of one probe at the same times", () => {
  const column = (name: string, values: number[]): { name: string; values: number[] } => ({ name, values });
  const together = new History([{ columns: [column("time", [0, 1]), column("probe.a.angle", [1, 2]), column("probe.a.angular_velocity", [3, 4]), column("probe.b.angle", [1, 2])] }]);
  assert.deepEqual(phases(together, ["a", "b"]).map((p) => [p.xName, p.yName, [...p.y.y]]), [["angle", "angular_velocity", [3, 4]]]);
  const apart = new History([
    { columns: [column("time", [0, 1]), column("probe.a.angle", [1, 2])] },
    { columns: [column("time", [0, 2]), column("probe.a.angular_velocity", [3, 4])] }]);
  assert.deepEqual(phases(apart, ["a"]), []);
});
