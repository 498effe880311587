import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { jsonTokens, plainly, yamlTokens, type Token } from "../../src/sources";

declare const REPORT_FOLDER: string;

const kinds = (tokens: Token[]): string[] => tokens.filter((t) => t.kind !== "plain").map((t) => `${t.kind} ${t.text.trim()}`);

test("YAML is coloured by what it is", () => {
  assert.deepEqual(kinds(yamlTokens("time: {end: 40.0, step: 1e-3}  # seconds")), ["key time", "key end", "number 40.0", "key step", "number 1e-3", "comment # seconds"]);
  assert.deepEqual(kinds(yamlTokens('  "odd: key": \'it\'\'s\'')), ['key "odd: key"', "text 'it''s'"]);
  assert.deepEqual(kinds(yamlTokens("source: demoures-2016, Fig. 4.2 (1)")), ["key source", "number 4.2"]);
  assert.deepEqual(kinds(yamlTokens("a: true")), ["key a", "word true"]);
});

test("no character is lost, whatever the text", () => {
  const lines = ["", "   ", ":", "- - [", '"open', "'", "a:b", "x: #y", "#", "<b>&amp;</b>", "🎱: ½", "key : v", "? {", "a: [1,2,{b: c}]", "\ttab: 1"];
  for (const line of lines) {
    assert.equal(yamlTokens(line).map((t) => t.text).join(""), line);
    assert.equal(jsonTokens(line).map((t) => t.text).join(""), line);
  }
});

test("JSON is coloured by what it is", () => {
  assert.deepEqual(kinds(jsonTokens('  "a": -1.5e-3, "b": null, "c": "tfn"')), ['key "a"', "number -1.5e-3", 'key "b"', "word null", 'key "c"', 'text "tfn"']);
});

test("conditions read as plain words", () => {
  assert.equal(plainly({ near: 20.07, within: 0.3 }), "near 20.07, within 0.3");
  assert.equal(plainly("at most 1"), "at most 1");
  assert.equal(plainly([1, 2]), "[1,2]");
  assert.equal(plainly(null), "–");
});

test("the list of packages names no registry", () => {
  const lock = readFileSync(join(REPORT_FOLDER, "package-lock.json"), "utf8");
  assert.ok(!lock.includes('"resolved"'));
  assert.ok(!/registry/i.test(lock));
});
