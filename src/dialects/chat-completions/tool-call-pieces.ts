// Tells to which call the pieces of streamed tool calls belong, however a provider numbers and names them.

import type { ProviderState } from "../../core/chat-request.ts";

/** One entry of `delta.tool_calls`. Empty texts count as absent. */
export interface CallPiece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly toolKind: "function" | "custom";
  readonly state: ProviderState | undefined;
}

/** A call under way. */
export interface OpenCall {
  /** Ours, dense from 0 in the order in which the caller is told of them; undefined: not yet. */
  call: number | undefined;
  /** The provider's; several calls may share one. */
  readonly index: number | undefined;
  id: string;
  name: string;
  readonly toolKind: "function" | "custom";
  state: ProviderState | undefined;
  arguments: string;
  /** They end in a brace: without it nobody needs to look whether they are whole. */
  mayBeWhole: boolean;
}

/** The calls of one choice. */
export class ToolCallPieces {
  readonly calls: OpenCall[] = [];

  /** The call of `piece`, made when it is a new one; its arguments are not added yet. */
  callOf(piece: CallPiece): OpenCall {
    const found = this.#find(piece);
    if (found === undefined) return this.#open(piece);
    if (found.id === "") found.id = piece.id;
    if (found.call === undefined && found.name === "") found.name = piece.name;
    found.state ??= piece.state;
    return found;
  }

  /** Adds a piece of arguments that is not empty. */
  append(call: OpenCall, text: string): void {
    call.arguments += text;
    const end = text.trimEnd();
    if (end !== "") call.mayBeWhole = end.endsWith("}");
  }

  #find(piece: CallPiece): OpenCall | undefined {
    const { id, index, name } = piece;
    const sameIndex = index === undefined ? this.calls.at(-1) : this.calls.findLast((call) => call.index === index);
    if (id !== "") {
      const sameId = this.calls.findLast((call) => call.id === id);
      // Some providers give all calls of an answer one id: another index and a name of its own tell them apart.
      if (sameId !== undefined && (index === undefined || sameId.index === index || name === "")) {
        return startsAgain(sameId, piece) ? undefined : sameId;
      }
      if (sameIndex === undefined) return undefined;
      if (sameIndex.id === "" && !isNamedAnew(sameIndex, piece)) return sameIndex;
      return isAnotherId(sameIndex, piece) ? undefined : sameIndex;
    }
    if (sameIndex !== undefined) return isNamedAnew(sameIndex, piece) ? undefined : sameIndex;
    // An index that nobody began: without a name it goes on with the call now open.
    return name === "" ? this.calls.at(-1) : undefined;
  }

  #open({ index, id, name, toolKind, state }: CallPiece): OpenCall {
    // Two calls with one id could not be answered apart.
    const isTaken = this.calls.some((call) => call.id === id);
    const call: OpenCall = {
      call: undefined,
      index,
      id: isTaken ? "" : id,
      name,
      toolKind,
      state,
      arguments: "",
      mayBeWhole: false,
    };
    this.calls.push(call);
    return call;
  }
}

/** A call that is whole, and a piece with the same id, its name and more arguments: the next one. */
function startsAgain(call: OpenCall, piece: CallPiece): boolean {
  return piece.name !== "" && piece.arguments !== "" && call.arguments !== "" && isWhole(call);
}

/** Another id at the same place: a new call, unless the provider makes a new id for each piece. */
function isAnotherId(call: OpenCall, piece: CallPiece): boolean {
  if (piece.name === "") return call.arguments !== "" && isWhole(call);
  return piece.name !== call.name || call.arguments === "" || isWhole(call);
}

/** No id, but a name: a new call when the one before is whole, or when it is another name. */
function isNamedAnew(call: OpenCall, piece: CallPiece): boolean {
  if (piece.name === "" || call.name === "") return false;
  if (piece.name !== call.name) return call.arguments === "" || isWhole(call);
  return piece.arguments !== "" && call.arguments !== "" && isWhole(call);
}

function isWhole({ arguments: text, toolKind, mayBeWhole }: OpenCall): boolean {
  if (toolKind === "custom") return true;
  if (!mayBeWhole) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
