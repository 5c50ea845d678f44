/** Imports a file of limited size that is read as one text. */
import { createByteQueue } from './byte-queue.ts'
import type { ImportedExchange, Importer } from './format.ts'
import type { ProblemList } from './problem-list.ts'

interface WholeFileOptions {
  readonly maxBytes: number
  readonly problems: ProblemList
  /** Place and text of the problem of a file that is larger. */
  readonly tooLarge: readonly [string, string]
  readonly read: (text: string) => readonly ImportedExchange[]
  readonly creator?: { readonly name: string }
}

export function createWholeFileImporter(options: WholeFileOptions): Importer {
  const { maxBytes, problems, tooLarge, read, ...creator } = options
  const queue = createByteQueue()
  let isTooLarge = false
  return {
    feed(bytes) {
      isTooLarge ||= queue.size() + bytes.length > maxBytes
      if (!isTooLarge) queue.push(bytes)
      return []
    },
    finish() {
      if (isTooLarge) problems.add(...tooLarge, true)
      const remaining = isTooLarge ? [] : read(new TextDecoder().decode(queue.take(queue.size())))
      return { remaining, problems: problems.all(), ...creator }
    },
  }
}
