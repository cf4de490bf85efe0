// The blocks in the page in, the document and its texts out; judgekit/reports/document.py lays the document out.

/** The JSON value in a block: base64 of gzip of UTF-8. */
export async function unpacked(packed) {
  const binary = atob(packed);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** The texts of a document, unpacked a block at a time. `block(number)` gives the packed block. */
export class Texts {
  #block;
  #starts;
  #loaded = [];
  #loading = [];
  #listeners = new Set();

  constructor(starts, block) {
    this.#starts = starts;
    this.#block = block;
    this.version = 0;
  }

  get blocks() {
    return this.#starts.length;
  }

  get complete() {
    return this.version === this.#starts.length;
  }

  /** The text if it is at hand; otherwise its block is fetched, listeners are told, and it is undefined for now. */
  peek(position) {
    const number = this.#blockOf(position);
    const texts = this.#loaded[number];
    if (texts === undefined) {
      this.load(number);
      return undefined;
    }
    return texts[position - this.#starts[number]];
  }

  async get(position) {
    const number = this.#blockOf(position);
    await this.load(number);
    return this.#loaded[number][position - this.#starts[number]];
  }

  load(number) {
    this.#loading[number] ??= unpacked(this.#block(number)).then((texts) => {
      this.#loaded[number] = texts;
      this.version += 1;
      for (const listener of this.#listeners) listener();
    });
    return this.#loading[number];
  }

  /** Every block up to the text at `position`, so that all before it can be read at once. */
  async loadUntil(position) {
    const wanted = [];
    for (let number = 0; number < this.blocks && this.#starts[number] < position; number += 1)
      wanted.push(this.load(number));
    await Promise.all(wanted);
  }

  /** One block after another, so that the page answers meanwhile. */
  async loadAll() {
    for (let number = 0; number < this.blocks; number += 1) await this.load(number);
  }

  onLoad(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #blockOf(position) {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The document in a page and its texts, as far as it needs them to show anything. */
export async function opened(page) {
  const doc = await unpacked(page.getElementById("data").textContent);
  const texts = new Texts(doc.blocks, (number) => page.getElementById(`texts-${number}`).textContent);
  await texts.loadUntil(doc.first);
  return { doc, texts };
}
