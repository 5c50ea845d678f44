/** Byte search for text in the lines of a recording, in its JSON-escaped spelling. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { blobFolder } from './recording-names.ts'

/** The bytes of a text inside a JSON string. */
export const jsonNeedle = (text: string): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1))

/** Returns a matcher for successive lines; each block is searched once for all of its lines. */
export function createNeedleFinder(
  needle: Buffer,
): (bytes: Buffer, start: number, end: number) => boolean {
  let block: Buffer | undefined
  let at = -1
  return (bytes, start, end) => {
    if (bytes !== block || at < start) {
      const next = bytes.indexOf(needle, start)
      block = bytes
      at = next < 0 ? Number.MAX_SAFE_INTEGER : next
    }
    return at + needle.length <= end
  }
}

const maxBlobBytes = 256 * 1024 * 1024

/** Names of the separately stored bodies that contain the text. */
export function blobsContaining(recording: string, text: string): readonly string[] {
  const folder = join(recording, blobFolder)
  const needle = Buffer.from(text)
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names.filter((name) => {
    try {
      const file = join(folder, name)
      return statSync(file).size <= maxBlobBytes && readFileSync(file).includes(needle)
    } catch {
      return false
    }
  })
}
