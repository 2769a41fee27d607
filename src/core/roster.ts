// Objects that come and go by the thousand, so that all that are there can be found.

/** An object that may be in one roster. */
export interface RosterMember {
  /** The roster's to set; -1 while it is in none. */
  rosterPlace: number;
}

/**
 * What a `Set` would do, but for two things: an object is in one roster at most, and there is no order. A set that is added to and deleted from all the time makes itself
 * a new table every few calls, and each old one leads to the next: a collection of young objects then keeps everything that was ever in one of them, until the next full
 * collection (measured: half of the memory of all requests).
 */
export class Roster<Member extends RosterMember> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** Harmless when it is in it. */
  add(member: Member): void {
    if (member.rosterPlace >= 0) return;
    member.rosterPlace = this.#members.length;
    this.#members.push(member);
  }

  /** Harmless when it is not in it. */
  remove(member: Member): void {
    const place = member.rosterPlace;
    if (place < 0) return;
    member.rosterPlace = -1;
    const last = this.#members.pop();
    if (last === undefined || last === member) return;
    this.#members[place] = last;
    last.rosterPlace = place;
  }

  /** Those that are in it now; who leaves meanwhile stays in the list. */
  list(): readonly Member[] {
    return [...this.#members];
  }
}
