import type { Index, Store, Table } from "dynalite/db/index.js";
import { validationError } from "dynalite/db/index.js";
import type { StagedItem } from "./stage.ts";
import { findTable } from "./store.ts";

/** DynamoDB refuses an empty string or binary as the key of a secondary index; dynalite would index it.
 * @throws ValidationException */
export async function refuseEmptyIndexKeys(store: Store, items: readonly StagedItem[]): Promise<void> {
  const tables = new Map<string, Table>();
  for (const { table: name, item } of items) {
    const table = tables.get(name) ?? (await findTable(store, name));
    tables.set(name, table);
    for (const { index, attribute } of indexKeys(table)) {
      const value = item[attribute];
      if (value?.S !== "" && value?.B !== "") continue;
      throw validationError(
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
          `The AttributeValue for a key attribute cannot contain an empty ${value.S === "" ? "string" : "binary"} value. ` +
          `IndexName: ${index.IndexName}, IndexKey: ${attribute}`,
      );
    }
  }
}

function indexKeys(table: Table): { readonly index: Index; readonly attribute: string }[] {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  return indexes.flatMap((index) =>
    index.KeySchema.map(({ AttributeName }) => ({ index, attribute: AttributeName })),
  );
}
