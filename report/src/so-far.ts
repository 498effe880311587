// The figures of a run that goes on, from its history so far; the summary comes with its end.
import { energyParts, lastValue, type History, type PackedLane, type RunDocument, type Samples, type Summary } from "./data";

const peak = (samples: Samples | null): number | null => {
  let most: number | null = null;
  for (const value of samples?.y ?? []) if (Number.isFinite(value)) most = Math.max(most ?? 0, Math.abs(value));
  return most;
};

/// The energy in motion: the largest of what is stored but for the potential, and the range of the potential.
function scaleOf(history: History): number {
  const stored = energyParts(history).filter((part) => part.role === "stored");
  const moving = stored.filter((part) => part.name !== "potential").map((part) => part.samples.y);
  let most = 0;
  for (let i = 0; i < (moving[0]?.length ?? 0); ++i) most = Math.max(most, moving.reduce((sum, y) => sum + (y[i] || 0), 0));
  const potential = (stored.find((part) => part.name === "potential")?.samples.y ?? new Float64Array()).filter(Number.isFinite);
  return most + (potential.length > 0 ? potential.reduce((a, b) => Math.max(a, b)) - potential.reduce((a, b) => Math.min(a, b)) : 0);
}

function contactSoFar(lanes: readonly PackedLane[]): NonNullable<Summary["contact"]> {
  const times = (which: "first_time" | "last_time"): number[] => lanes.flatMap((lane) => lane[which] ?? []);
  const found = lanes.length > 0;
  return {
    events: null, first_time: found ? Math.min(...times("first_time")) : null, last_time: found ? Math.max(...times("last_time")) : null,
    impulses: lanes.reduce((sum, lane) => sum + lane.count, 0), total_impulse: lanes.reduce((sum, lane) => sum + lane.normal_impulse, 0),
  };
}

/// The summary, or while there is none what the history and the contacts tell already.
export function summarySoFar(run: RunDocument, history: History): Summary {
  if (run.summary.status !== "unfinished") return run.summary;
  const total = history.column("energy.total");
  if (!total) return run.summary;
  const scale = scaleOf(history);
  const over = (name: string): number | null => {
    const most = peak(history.column(name));
    return most === null || scale === 0 ? null : most / scale;
  };
  const losses = energyParts(history).filter((part) => part.role === "loss").map((part) => [part.name, lastValue(part.samples)]);
  const work = history.column("energy.external_work");
  const step = Number(/^time: .*\bstep: ([-+.\de]+)/m.exec(run.scene.text)?.[1]);
  return {
    ...run.summary,
    integrator: /^integrator:\s*\{?\s*type: ([\w-]+)/m.exec(run.scene.text)?.[1] ?? "",
    time: { end: total.x[total.x.length - 1] ?? null, step: Number.isFinite(step) ? step : null },
    energy: {
      error: over("energy.error"), residual_max: over("energy.residual"), losses: Object.fromEntries(losses) as Record<string, number | null>,
      initial: total.y[0] ?? null, final: lastValue(total), external_work: work && lastValue(work), scale,
    },
    momentum: { linear_drift: peak(history.column("momentum.drift")), angular_drift: peak(history.column("angular_momentum.drift")) },
    contact: contactSoFar(run.contacts.lanes),
  };
}
