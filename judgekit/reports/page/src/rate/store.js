// Ratings in, ratings kept by the browser under the run's id out.

import { keyOf } from "./labels.js";

/** Ratings of one run. Where the browser keeps nothing they live as long as the page does, and `kept` is false. */
export class Store {
  #storage;
  #key;

  constructor(runId, storage, given = []) {
    this.#key = `judgekit.labels.${runId}`;
    this.#storage = storage;
    this.kept = true;
    this.labels = new Map(given.map((label) => [keyOf(label), { ...label, exported: true }]));
    for (const label of this.#read()) this.labels.set(keyOf(label), label);
  }

  get all() {
    return [...this.labels.values()];
  }

  get unsaved() {
    return this.all.filter((label) => !label.exported).length;
  }

  put(label) {
    // A rating given again goes to the end: it is the newest.
    this.labels.delete(keyOf(label));
    this.labels.set(keyOf(label), label);
    this.#write();
  }

  remove(label) {
    this.labels.delete(keyOf(label));
    this.#write();
  }

  markExported() {
    for (const [key, label] of this.labels) this.labels.set(key, { ...label, exported: true });
    this.#write();
  }

  #read() {
    try {
      const found = JSON.parse(this.#storage.getItem(this.#key) ?? "[]");
      return Array.isArray(found) ? found.filter((label) => typeof label?.case_id === "string") : [];
    } catch {
      this.kept = this.#storage !== null && this.#storage !== undefined;
      return [];
    }
  }

  #write() {
    try {
      this.#storage.setItem(this.#key, JSON.stringify(this.all));
      this.kept = true;
    } catch {
      this.kept = false;
    }
  }
}
