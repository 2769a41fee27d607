// A roster holds what a set would hold.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { Roster, type RosterMember } from "./roster.ts";

interface Person extends RosterMember {
  readonly name: number;
}

test("whatever comes and goes, once or twice, it holds what a set would hold", () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(9)), { maxLength: 100 });
  fc.assert(
    fc.property(steps, (taken) => {
      const people = Array.from({ length: 10 }, (_, name): Person => ({ name, rosterPlace: -1 }));
      const roster = new Roster<Person>();
      const set = new Set<Person>();
      for (const [comes, index] of taken) {
        const person = people[index] ?? { name: -1, rosterPlace: -1 };
        if (comes) {
          roster.add(person);
          set.add(person);
        } else {
          roster.remove(person);
          set.delete(person);
        }
        expect(roster.size).toBe(set.size);
      }
      expect(new Set(roster.list())).toEqual(set);
      expect(people.map((person) => person.rosterPlace >= 0)).toEqual(people.map((person) => set.has(person)));
    }),
  );
});

test("its list stays as it was while members leave", () => {
  const people = [1, 2, 3].map((name): Person => ({ name, rosterPlace: -1 }));
  const roster = new Roster<Person>();
  for (const person of people) roster.add(person);
  const seen: number[] = [];
  for (const person of roster.list()) {
    seen.push(person.name);
    for (const other of people) roster.remove(other);
  }
  expect([seen, roster.size]).toEqual([[1, 2, 3], 0]);
});
