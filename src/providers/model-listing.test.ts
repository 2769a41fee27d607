import { expect, test } from "bun:test";
import { readModelListing } from "./model-listing.ts";

test("id, created and owned_by are read, everything else is ignored", () => {
  const text =
    '{"object":"list","data":[{"id":"gpt-5","object":"model","created":1700000000,"owned_by":"openai","x":1}]}';
  expect(readModelListing(text)).toEqual([{ id: "gpt-5", created: 1700000000, ownedBy: "openai" }]);
});

test("Azure's created_at is read as created", () => {
  expect(readModelListing('{"data":[{"id":"gpt-4o","created_at":1700000001}]}')).toEqual([
    { id: "gpt-4o", created: 1700000001, ownedBy: undefined },
  ]);
});

test("entries without a usable id and repeated ids are left out", () => {
  const text = '{"data":[null,1,"x",{"id":7},{"id":""},{"id":"a","created":"then"},{"id":"a","owned_by":"second"}]}';
  expect(readModelListing(text)).toEqual([{ id: "a", created: undefined, ownedBy: undefined }]);
});

test("a bare array is a listing", () => {
  expect(readModelListing('[{"id":"a"}]')).toEqual([{ id: "a", created: undefined, ownedBy: undefined }]);
});

test.each([['{"data":[]}'], ['{"data":null}']])("%p is an empty listing", (text) => {
  expect(readModelListing(text)).toEqual([]);
});

test.each([[""], ["<html>"], ["{}"], ['{"data":{}}'], ["null"], ['"x"'], ['{"error":{"message":"no"}}']])(
  "%p is no listing",
  (text) => {
    expect(readModelListing(text)).toBeUndefined();
  },
);
