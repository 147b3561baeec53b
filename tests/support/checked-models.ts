/**
 * ElectroDB checks the models of all entities whenever a table is opened, and once more when they join the service: for
 * 40 ms and at first for 400. Here it checks a model once in a process, however many tables and files there are.
 */
import { Entity, Service } from "electrodb";

const [check, join] = [
  Reflect.get(Entity.prototype, "_validateModel"),
  Reflect.get(Service.prototype, "_inferJoinEntity"),
];
if (typeof check !== "function" || typeof join !== "function") {
  throw new TypeError("ElectroDB checks its models in another place.");
}

const checked = new Set<string>();
let trusts = false;

if (check.name !== "checkOnce") {
  Reflect.set(Entity.prototype, "_validateModel", function checkOnce(model: unknown): void {
    if (trusts) return;
    const text = JSON.stringify(model);
    if (checked.has(text)) return;
    Reflect.apply(check, Entity.prototype, [model]);
    checked.add(text);
  });
  // It would look whether an entity is a model, by checking it as one.
  Reflect.set(Service.prototype, "_inferJoinEntity", function joinEntity(this: unknown, ...args: unknown[]) {
    return args[0] instanceof Entity ? args[0] : Reflect.apply(join, this, args);
  });
}

/** Checks no model any more: for a process whose parent has checked the same ones. */
export function trustModels(): void {
  trusts = true;
}
