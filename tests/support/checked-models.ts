/**
 * ElectroDB checks the models of all entities whenever a table is opened, for 40 ms and at first for 100. Here it checks
 * a model once in a process, however many tables and files there are.
 */
import { Entity } from "electrodb";

const check: unknown = Reflect.get(Entity.prototype, "_validateModel");
if (typeof check !== "function") throw new TypeError("ElectroDB checks its models in another place.");

if (check.name !== "checkOnce") {
  const checked = new Set<string>();
  Reflect.set(Entity.prototype, "_validateModel", function checkOnce(model: unknown): void {
    const text = JSON.stringify(model);
    if (checked.has(text)) return;
    Reflect.apply(check, Entity.prototype, [model]);
    checked.add(text);
  });
}
