/**
 * ElectroDB checks the models of all entities whenever a table is opened, and again when the entities join the service. The checks of
 * ElectroDB's models take 400 ms the first time, and 40 ms every later time. After this file is loaded, a process checks each model only
 * once.
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

if (check.name !== "checkOnce") {
  Reflect.set(Entity.prototype, "_validateModel", function checkOnce(model: unknown): void {
    const text = JSON.stringify(model);
    if (checked.has(text)) return;
    Reflect.apply(check, Entity.prototype, [model]);
    checked.add(text);
  });
  // ElectroDB would check the model again in order to find out whether an object is an entity.
  Reflect.set(Service.prototype, "_inferJoinEntity", function joinEntity(this: unknown, ...args: unknown[]) {
    return args[0] instanceof Entity ? args[0] : Reflect.apply(join, this, args);
  });
}
