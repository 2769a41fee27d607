// The query builder on the runtime's own SQLite: one connection, every statement answered at once.

import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";

/** Kysely dialect over an open database; closing it stays with whoever opened it. */
export function bunSqliteDialect(database: Database): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver(database),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function driver(database: Database): Driver {
  const run = async (sql: string): Promise<void> => {
    database.exec(sql);
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection(database),
    beginTransaction: () => run("BEGIN IMMEDIATE"),
    commitTransaction: () => run("COMMIT"),
    rollbackTransaction: () => run("ROLLBACK"),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

function connection(database: Database): DatabaseConnection {
  const execute = <Row>(query: CompiledQuery): QueryResult<Row> => {
    const statement = database.prepare<Row, SQLQueryBindings[]>(query.sql);
    try {
      // The builder types parameters as unknown; what our queries bind are strings, numbers and null.
      return { rows: statement.all(...(query.parameters as SQLQueryBindings[])) };
    } finally {
      // Questions come in many forms; a statement left open would keep the connection open after its close.
      statement.finalize();
    }
  };
  return {
    executeQuery: async (query) => execute(query),
    async *streamQuery(query) {
      yield execute(query);
    },
  };
}
