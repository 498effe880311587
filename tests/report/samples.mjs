// Writes result folders as a run leaves them, compare.json and converge.json, for the tests of the report:
// `node samples.mjs FOLDER NAME...`. The bars follow the exact solution with a ripple on top; the other folders are the
// cases that break pages.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const cell = (value) => (value === null || value === undefined ? "" : typeof value === "string" ? quoted(value) : String(value));

function csv(names, rows) {
  return [names, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

const contactColumns = ["time", "first", "second", "x", "y", "z", "nx", "ny", "nz", "normal_impulse", "tangential_impulse", "energy_lost"];
const impulse = (time, first, second, normal, tangential = 0, lost = 0) =>
  [time, first, second, 0, 0, 0, 1, 0, 0, normal, tangential, lost];

function write(folder, { summary, scene, history, contacts }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "summary.json"), JSON.stringify(summary, null, 2));
  writeFileSync(join(folder, "scene.yaml"), scene);
  writeFileSync(join(folder, "history.csv"), history);
  writeFileSync(join(folder, "contacts.csv"), csv(contactColumns, contacts));
}

/// A history from one object per row; the keys of the first row are the columns.
function historyOf(rows) {
  const names = Object.keys(rows[0]);
  return csv(names, rows.map((row) => names.map((n) => row[n])));
}

function summaryOf(overrides) {
  return {
    ictus: { version: "0.1.0", schema: 1 }, scene: { title: "Two identical bars", case: "two-bars/identical" },
    integrator: "multisymplectic", status: "completed",
    time: { end: 40, step: 0.015, steps: 2667, wall_seconds: 0.418 },
    energy: { initial: 0.1, final: 0.0999, error: 1.3e-3, losses: {}, residual_max: 4.1e-16, external_work: 0, change_max: 1.3e-3, scale: 0.1 },
    momentum: { linear_drift: 2.2e-16, angular_drift: 0 },
    contact: { events: 0, first_time: null, last_time: null, total_impulse: null, max_penetration: null, fallbacks: 0 },
    probes: {}, extra: {}, ...overrides,
  };
}

const barScene = `title: Two identical bars
source: demoures-2016, Fig. 4.2 (1)
about: |
  Two bars meet, stay in contact for one round trip of the wave, and part with their velocities exchanged.
time: {end: 40.0, step: 0.015}  # every 0.1 s recorded
integrator: {type: multisymplectic, newton: {tolerance: 1.0e-12, iterations: 20}}
bodies:
  left:  {type: bar, length: 10.0, cells: 50, density: 1.0, youngs_modulus: 1.0, area: 1.0,
          position: [-10.005, 0, 0], velocity: [0.1, 0, 0]}
  right: {type: bar, length: 10.0, cells: 50, density: 1.0, youngs_modulus: 1.0, area: 1.0,
          position: [0.005, 0, 0], velocity: [-0.1, 0, 0]}
contacts:
  - {between: [left, right], restitution: 1.0, friction: 0.0}
probes:
  left_tip: {body: left, at: end}
  right_tip: {body: right, at: start}
output: {history_every: 0.1, frames_every: null, compress: true}
expect:
  energy.error: {max: 2.0e-3}
  contact.last_time: {near: 20.07, within: 0.3}
`;

/// Two bars of length 10 with wave speed 1 that meet at 0.2: contact from t = 0.05 for 20 s, in which the kinetic
/// energy falls linearly to zero and rises again, and the tips rest.
function bars({ ripple = 0.02, phase = 0, loss = 6e-4 } = {}) {
  const [begin, length, speed, energy] = [0.05, 20, 0.1, 0.1];
  const rows = [];
  for (let k = 0; k <= 400; ++k) {
    const t = k / 10;
    const s = Math.min(Math.max(t - begin, 0), length);
    const touching = t > begin && t < begin + length;
    const stored = energy * (s <= 10 ? s / 10 : (length - s) / 10);
    const lost = loss * energy * (s / length);
    const wave = touching ? ripple * Math.exp(-(s % 10) / 4) * Math.sin(4 * s + phase) : 0;
    const strain = Math.min(energy - lost, Math.max(0, stored * (1 + 0.4 * wave)));
    const exactVelocity = t < begin ? speed : touching ? 0 : -speed;
    const exactPlace = t < begin ? speed * t : touching ? speed * begin : speed * begin - speed * (t - begin - length);
    const velocity = exactVelocity + 0.8 * wave + (t > begin + length ? 0.006 * Math.sin(2.3 * t + phase) * ripple * 50 : 0);
    const place = exactPlace + 0.02 * wave;
    rows.push({
      time: t, "energy.kinetic": energy - strain - lost, "energy.strain": strain, "energy.potential": 0,
      "energy.external_work": 0, "energy.loss.impact": 0.7 * lost, "energy.loss.projection": 0.3 * lost,
      "energy.total": energy - lost, "energy.residual": k === 0 ? 0 : 1e-17 * (1 + ((7 * k) % 5)) * (k % 2 ? 1 : -1),
      "momentum.x": 1e-17 * (k % 3), "momentum.y": 0, "momentum.z": 0,
      "angular_momentum.x": 0, "angular_momentum.y": 0, "angular_momentum.z": 0,
      "momentum.drift": 5e-17 * (k % 7), "angular_momentum.drift": 0,
      "contact.0.gap": touching ? 1e-5 * wave * wave : t < begin ? 0.01 - 0.2 * t : 0.2 * (t - begin - length),
      "contact.0.force": touching ? 0.1 + wave : 0, "exact.contact.0.force": touching ? 0.1 : 0,
      "probe.left_tip.displacement": place, "exact.probe.left_tip.displacement": exactPlace,
      "probe.left_tip.velocity": velocity, "exact.probe.left_tip.velocity": exactVelocity,
      "probe.right_tip.displacement": -place, "probe.right_tip.velocity": -velocity,
      "something.unheard_of": k,
    });
  }
  return rows;
}

function twoBars() {
  const contacts = [];
  for (let k = 0; k < 1333; ++k) {
    const s = 0.015 * (k + 0.5);
    contacts.push(impulse(0.05 + s, "left", "right", 0.0015 * (1 + 0.2 * Math.exp(-(s % 10) / 4) * Math.sin(4 * s)), 0, 3e-8));
  }
  return {
    summary: summaryOf({
      energy: { initial: 0.1, final: 0.09994, error: 1.3e-3, losses: { impact: 4.2e-5, projection: 1.8e-5 }, residual_max: 5e-16, external_work: 0, change_max: 1.3e-3, scale: 0.1 },
      contact: { events: 1, first_time: 0.0575, last_time: 20.0425, total_impulse: 1.9995, max_penetration: 1.2e-9, fallbacks: 0 },
      extra: { error: { left_tip: { displacement: 1.2e-3, velocity: 0.021 } } },
      probes: { left_tip: { displacement: -1.99, velocity: -0.1 }, right_tip: { displacement: 1.99, velocity: 0.1 } },
      expect: [
        { path: "energy.error", condition: { max: 2e-3 }, value: 1.3e-3, met: true },
        { path: "contact.last_time", condition: { near: 20.07, within: 0.3 }, value: 20.0425, met: true },
        { path: "momentum.linear_drift", condition: "at most 1e-12", value: 2.2e-16, met: true },
      ],
    }),
    scene: barScene, history: historyOf(bars()), contacts,
  };
}

/// A driven ball that bounces on a floor: gravity, friction, damping, a bank, external work, falling potential.
function bouncing() {
  const [mass, g, restitution] = [0.2, 9.81, 0.8];
  const rows = [];
  const contacts = [];
  let [t, z, v, slide, impact, friction, damping, work, bank] = [0, 0.5, 0, 0.6, 0, 0, 0, 0, 0];
  const h = 5e-4;
  const initial = 0.5 * mass * slide * slide + mass * g * (z - 0.3);
  for (let k = 0; k <= 5000; ++k) {
    if (k % 4 === 0) {
      const sway = 0.02 * Math.sin(9 * t);
      const kinetic = 0.5 * mass * (v * v + slide * slide);
      const potential = mass * g * (z - 0.3);
      rows.push({
        time: t, "energy.kinetic": kinetic, "energy.strain": null, "energy.potential": potential,
        "energy.stored.bank": bank, "energy.external_work": work, "energy.loss.impact": impact, "energy.loss.friction": friction,
        "energy.loss.damping": damping, "energy.total": kinetic + potential + bank,
        "energy.residual": k === 0 ? 0 : 2e-9 * Math.sin(k / 700) * (k / 5000),
        "momentum.drift": null, "angular_momentum.drift": null, "contact.0.gap": z, "contact.0.force": null,
        "probe.ball.position.x": 0.6 * t, "probe.ball.position.z": z, "probe.ball.velocity": v, "probe.sway.angle": sway,
      });
    }
    v -= h * (g + 0.1 * v);
    z += h * v;
    if (z < 0 && v < 0) {
      const normal = -(1 + restitution) * mass * v;
      const tangential = Math.min(0.1 * normal, mass * slide);
      const lost = 0.5 * mass * (1 - restitution ** 2) * v * v;
      const rubbed = 0.5 * mass * (slide ** 2 - (slide - tangential / mass) ** 2);
      v = -restitution * v;
      slide -= tangential / mass;
      impact += 0.9 * lost;
      bank += 0.1 * lost;
      friction += rubbed;
      contacts.push(impulse(t, "ball", "floor", normal, tangential, lost + rubbed));
      z = 0;
    }
    t += h;
    const pushed = 0.01 * h * slide;
    work += pushed;
    const mechanical = 0.5 * mass * (v * v + slide * slide) + mass * g * (z - 0.3);
    damping = initial + work - (mechanical + impact + bank + friction);
  }
  return {
    summary: summaryOf({
      scene: { title: "A ball on a floor, pushed while it bounces", case: null }, integrator: "moreau",
      time: { end: 2.5, step: 5e-4, steps: 5000, wall_seconds: 187.3 }, status: "failed",
      message: "Newton's method did not converge: body ball at 2.5 s. Try a smaller time.step.",
      energy: { initial, final: 0.1, error: 0.71, losses: { impact, friction, damping }, residual_max: 2e-9, external_work: work, change_max: 0.71, scale: 0.1 },
      momentum: { linear_drift: null, angular_drift: null },
      contact: { events: contacts.length, first_time: contacts[0][0], last_time: t, total_impulse: 3.1, max_penetration: 2e-5, fallbacks: 2 },
      probes: { ball: { "position.x": 1, "position.z": 0, velocity: 0 }, sway: { angle: 0 } },
      expect: [{ path: "energy.residual_max", condition: { max: 1e-12 }, value: 2e-9, met: false }],
    }),
    scene: "title: A ball on a floor, pushed while it bounces\ncontacts:\n  - {between: [ball, floor], restitution: 0.8, friction: 0.1}\n",
    history: historyOf(rows), contacts,
  };
}

function noContact() {
  const rows = Array.from({ length: 241 }, (_, k) => {
    const t = k * 5e-6;
    const strain = 2.5 * Math.sin(9e3 * t) ** 2;
    return {
      time: t, "energy.kinetic": 2.5 - strain, "energy.strain": strain, "energy.total": 2.5, "energy.residual": 0,
      "momentum.drift": 0, "angular_momentum.drift": 0, "probe.tip.displacement": 3e-5 * Math.sin(9e3 * t),
    };
  });
  return {
    summary: summaryOf({
      scene: { title: "A bar that rings, and touches nothing", case: "bars/ringing" }, time: { end: 1.2e-3, step: 5e-8, steps: 24000, wall_seconds: 1.2 },
      energy: { initial: 2.5, final: 2.5, error: 0, losses: {}, residual_max: 0, external_work: 0, change_max: 0, scale: 0.1 },
      momentum: { linear_drift: 0, angular_drift: 0 }, probes: { tip: { displacement: 0 } },
    }),
    scene: "title: A bar that rings, and touches nothing\n", history: historyOf(rows), contacts: [],
  };
}

function oneRow() {
  const [row] = bars();
  return {
    summary: summaryOf({
      scene: { title: "Stopped before the first step" }, status: "failed", time: { end: null, step: 0.015, steps: 0, wall_seconds: 0 },
      energy: { initial: 0.1, final: null, error: null, losses: {}, residual_max: null, external_work: null, change_max: null, scale: 0.1 },
      momentum: { linear_drift: null, angular_drift: null },
    }),
    scene: barScene, history: historyOf([row]), contacts: [],
  };
}

/// Names that are markup, quotes, separators or far from Latin.
function oddNames() {
  const evil = '</script><script>window.broken = true</script><img src="https://example.org/x.png" onerror="window.broken = true">';
  const probe = 'tip "α, β" <b>';
  const rows = Array.from({ length: 60 }, (_, k) => ({
    time: k / 10, "energy.kinetic": 1 - k / 100, "energy.stored.Feder & Bänk": k / 200, "energy.loss.摩擦 <friction>": k / 200,
    "energy.total": 1 - k / 200, "energy.residual": k < 30 ? 0 : 1e-30, "momentum.drift": k % 2 ? 0 : 1e-3,
    [`probe.${probe}.velocity`]: Math.sin(k / 5), [`probe.${probe}.gumption`]: k % 7 === 3 ? null : k * k,
    "probe..velocity": 1, probe: 2, "energy.": 3, "contact.": 4, "contact.x.y": 5, "": 6, "exact.probe.lost.velocity": 7,
  }));
  return {
    summary: summaryOf({
      scene: { title: `Bars & <beams> “${evil}”`, case: null }, integrator: "<i>dcr</i>",
      energy: { initial: 1, final: 0.7, error: 0.3, losses: { "摩擦 <friction>": 0.295 }, residual_max: 1e-30, external_work: null, change_max: 0.3, scale: 0.1 },
      probes: { [probe]: { velocity: 0, gumption: 1 } },
      expect: [{ path: "<b>", condition: { near: null }, value: null, met: false }],
    }),
    scene: `title: "Bars & <beams>"\nsource: "${evil.replaceAll('"', "'")}"\n# <!-- <script> \nbodies: {"naïve \\" quote": {x: .inf}}\n`,
    history: historyOf(rows),
    contacts: [impulse(1, "<a>", 'b"c', 2), impulse(1.5, "<a>", 'b"c', 1), impulse(2, "球", "𝔉loor, really", 1e-9)],
  };
}

function manyPairs() {
  const contacts = [];
  for (let k = 0; k < 800; ++k) contacts.push(impulse(k / 20, `granule_${k % 40}`, "drum", 1e-4 * (1 + (k % 40)), 2e-5, 1e-7));
  return { summary: summaryOf({ scene: { title: "Granules in a drum", case: "granules/drum" } }), scene: "title: Granules in a drum\n", history: historyOf(bars()), contacts };
}

/// 200 000 rows with one sharp peak, and 100 000 impulses.
const longPeak = { row: 123456, value: 7.5 };
function longRun() {
  const rows = [];
  for (let k = 0; k < 200000; ++k) {
    const t = k * 1e-4;
    const strain = 0.5 + 0.5 * Math.sin(300 * t) * Math.cos(0.4 * t);
    const lost = t / 100;
    rows.push({
      time: t, "energy.kinetic": 1.2 - strain - lost, "energy.strain": strain, "energy.loss.damping": lost, "energy.total": 1.2 - lost,
      "energy.residual": 1e-15 * Math.sin(k), "momentum.drift": 1e-16 * (k % 10), "contact.0.force": Math.max(0, Math.sin(30 * t)),
      "probe.tip.velocity": k === longPeak.row ? longPeak.value : Math.sin(300 * t),
    });
  }
  const contacts = Array.from({ length: 100000 }, (_, k) => impulse(2e-4 * k, "left", "right", 1e-6 * (1 + Math.sin(k / 900)), 0, 1e-9));
  return {
    summary: summaryOf({ scene: { title: "A long run", case: null }, time: { end: 20, step: 1e-5, steps: 2000000, wall_seconds: 7261 }, energy: { initial: 1.2, final: 1, error: 0.16, losses: { damping: 0.2 }, residual_max: 1e-15, external_work: 0, change_max: 0.16, scale: 0.1 }, probes: { tip: { velocity: 0 } } }),
    scene: "title: A long run\ncontacts: [{between: [left, right]}]\n", history: historyOf(rows), contacts,
  };
}

/// Integrators that differ as integrators do: in ripple, phase and loss.
function comparison() {
  const looks = [["cd-lagrange", 0.05, 0, 2e-2], ["multisymplectic", 0.02, 0.4, 6e-4], ["dcr", 0.035, 0.9, 4e-3], ["moreau <θ = ½>", 0.07, 1.3, 5e-2], ["energy-momentum", 0.012, 2, 1e-6], ["newmark", 0.1, 2.6, 0.11]];
  const runs = looks.map(([name, ripple, phase, loss]) => {
    const rows = bars({ ripple, phase, loss });
    const columns = Object.fromEntries(Object.keys(rows[0]).map((key) => [key, rows.map((row) => row[key] ?? null)]));
    const summary = summaryOf({
      integrator: name, time: { end: 40, step: 0.015, steps: 2667, wall_seconds: 0.3 + ripple },
      energy: { initial: 0.1, final: 0.1 * (1 - loss), error: loss, losses: { impact: 0.1 * loss }, residual_max: 5e-16, external_work: 0, change_max: loss, scale: 0.1 },
      contact: { events: 1, first_time: 0.05, last_time: 20.04 + ripple, total_impulse: 2, max_penetration: 0, fallbacks: 0 },
    });
    return { name, report: `${name}/report.html`, summary, columns };
  });
  runs[5].report = "javascript:window.broken = true";
  return { title: "Two identical bars, six integrators", source: "demoures-2016, Fig. 4.2 (1)", contacts: ["left – right"], runs };
}

function convergence() {
  const steps = [0.08, 0.04, 0.02, 0.01, 0.005, 0.0025];
  const curve = (name, order, constant, wobble) =>
    ({ name, steps, errors: steps.map((h, i) => constant * h ** order * (1 + wobble * Math.sin(3 * i))) });
  return {
    title: "Two identical bars: convergence", source: "fekak-2017, Fig. 7", norm: "Σ|f − f_exact| / Σ|f_exact| over the steps",
    quantities: [
      { name: "left_tip displacement", curves: [curve("cd-lagrange", 1, 0.4, 0.05), curve("multisymplectic", 2, 3, 0.02), curve("dcr", 1.02, 0.2, 0.1)] },
      { name: "left_tip velocity", orders: [0.5, 1], curves: [curve("cd-lagrange", 0.55, 0.5, 0.1), curve("multisymplectic", 0.98, 0.6, 0.1), { name: "exact by luck <b>", steps, errors: steps.map((_, i) => (i === 2 ? null : 0)) }] },
      { name: "contact force", curves: [curve("cd-lagrange", 0.5, 0.8, 0.05)] },
    ],
  };
}

const samples = {
  "two-bars": twoBars, bouncing, "no-contact": noContact, "one-row": oneRow, "odd-names": oddNames, "many-pairs": manyPairs, long: longRun,
};

function writeSamples(folder, names) {
  for (const name of names) write(join(folder, name), samples[name]());
  writeFileSync(join(folder, "compare.json"), JSON.stringify(comparison()));
  writeFileSync(join(folder, "converge.json"), JSON.stringify(convergence()));
}

writeSamples(process.argv[2], process.argv.slice(3));
