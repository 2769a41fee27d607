// Does what the database thread is asked for, one call after the other, and opens the database again when it went bad.

import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { evictOldestBodies } from "./body-store.ts";
import { openDatabase } from "./database.ts";
import type { InsertRows } from "./insert-rows.ts";
import { createInsertRows } from "./insert-rows.ts";
import type { RequestQuestions } from "./questions.ts";
import { deleteExpired } from "./retention.ts";
import { storageFailureOf } from "./storage-failure.ts";
import { bodiesOf, rowsOf } from "./rows-of-batch.ts";
import { RoomView } from "./shared-room.ts";
import type { Answers, Call, Kind, Questions, Reply, WorkerSettings } from "./worker-protocol.ts";
import { writeBatch } from "./write-batch.ts";

interface Connection {
  readonly sqlite: Database;
  readonly insertRows: InsertRows;
  /** Of the file that was opened. */
  readonly inode: number | undefined;
  questions: RequestQuestions | undefined;
}

/** Steps of a hundred bodies after each batch: more leaves than a batch can bring. */
const evictionsPerBatch = 5;

export class DatabaseService {
  readonly #settings: WorkerSettings;
  readonly #open: (path: string) => Database;
  readonly #room = new RoomView();
  #connection: Connection | undefined;

  constructor(settings: WorkerSettings, open: (path: string) => Database = openDatabase) {
    this.#settings = settings;
    this.#open = open;
  }

  /** Never rejects: what goes wrong is the answer. */
  async answer(call: Call): Promise<Reply> {
    try {
      return { call: call.call, outcome: { ok: true, value: await this.#perform(call) } };
    } catch (error) {
      const failure = storageFailureOf(error);
      if (failure.reason === "broken") this.#disconnect();
      return { call: call.call, outcome: { ok: false, failure } };
    }
  }

  #perform(call: Call): Answers[Kind] | Promise<Answers[Kind]> {
    switch (call.kind) {
      case "write":
        // Before anything can go wrong: what was sent once is not sent again.
        this.#room.update(call.question.chunks);
        if (this.#connection !== undefined && this.#connection.inode !== this.#inode()) this.#disconnect();
        return this.#write(this.#connected(), call.question);
      case "sweep":
        return this.#sweep(this.#connected(), call.question);
      case "find":
        return this.#questions().then((questions) => questions.find(call.question));
      case "detail":
        return this.#questions().then((questions) => questions.detail(call.question.id));
      case "close":
        this.#disconnect();
        return true;
    }
  }

  #write(database: Connection, question: Questions["write"]): Answers["write"] {
    const { writer, firstSequence, batch, now } = question;
    const bodies = bodiesOf(batch.bodies, this.#room);
    const rows = { writer, firstSequence, ...rowsOf(batch, this.#room), bodies };
    const result = writeBatch(database.sqlite, database.insertRows, rows, now);
    if (bodies.length > 0) this.#makeRoom(database);
    return result;
  }

  /** The batch is committed: whatever goes wrong here shows at the next one. */
  #makeRoom(database: Connection): void {
    try {
      for (let step = 0; step < evictionsPerBatch && this.#evict(database); step++);
    } catch (error) {
      if (storageFailureOf(error).reason === "broken") this.#disconnect();
    }
  }

  #sweep(database: Connection, question: Questions["sweep"]): Answers["sweep"] {
    const moreRows = question.before !== undefined && deleteExpired(database.sqlite, question.before, question.now);
    return { more: this.#evict(database) || moreRows };
  }

  #evict(database: Connection): boolean {
    return evictOldestBodies(database.sqlite, this.#settings.maxBodyStorageBytes);
  }

  #connected(): Connection {
    if (this.#connection !== undefined) return this.#connection;
    const sqlite = this.#open(this.#settings.path);
    this.#connection = { sqlite, insertRows: createInsertRows(sqlite), inode: this.#inode(), questions: undefined };
    return this.#connection;
  }

  async #questions(): Promise<RequestQuestions> {
    const { createQuestions } = await import("./questions.ts");
    // While it was loaded, another call may have closed the database.
    const connection = this.#connected();
    return (connection.questions ??= createQuestions(connection.sqlite));
  }

  #disconnect(): void {
    const closing = this.#connection;
    this.#connection = undefined;
    try {
      closing?.sqlite.close();
    } catch {
      // It is given up because it does not work any more; that it cannot be closed is no news.
    }
  }

  /** SQLite goes on writing into a file that was deleted or replaced, and whatever it writes is lost. */
  #inode(): number | undefined {
    return statSync(this.#settings.path, { throwIfNoEntry: false })?.ino;
  }
}
