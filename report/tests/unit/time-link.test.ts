import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeLink, type Range } from "../../src/time-link";

function linked(): { link: TimeLink; times: (number | null)[]; ranges: (Range | null)[] } {
  const link = new TimeLink({ min: 0, max: 10 });
  const times: (number | null)[] = [];
  const ranges: (Range | null)[] = [];
  link.add({ showTime: (t) => times.push(t), showRange: (r) => ranges.push(r) });
  return { link, times, ranges };
}

test("followers hear each change once, and times stay inside", () => {
  const { link, times } = linked();
  link.setTime(4);
  link.setTime(4);
  link.setTime(99);
  link.setTime(null);
  assert.deepEqual(times, [4, 10, null]);
});

test("keys move the cursor over what is in view", () => {
  const { link } = linked();
  assert.ok(link.key("ArrowRight", false));
  assert.ok(Math.abs((link.time ?? 0) - 0.05) < 1e-12);
  link.key("ArrowRight", true);
  assert.ok(Math.abs((link.time ?? 0) - 0.55) < 1e-12);
  link.key("End", false);
  assert.equal(link.time, 10);
  link.key("Escape", false);
  assert.equal(link.time, null);
  assert.equal(link.key("q", false), false);
});

test("zoom keeps the cursor in place and ends at the whole", () => {
  const { link, ranges } = linked();
  link.setTime(2);
  link.key("+", false);
  assert.deepEqual(link.range, { min: 1, max: 6 });
  link.key("-", false);
  assert.equal(link.range, null);
  assert.deepEqual(ranges, [{ min: 1, max: 6 }, null]);
});

test("a range too small to see is refused", () => {
  const { link } = linked();
  link.setRange({ min: 2, max: 3 });
  link.setRange({ min: 2.5, max: 2.5 });
  assert.deepEqual(link.range, { min: 2, max: 3 });
});
