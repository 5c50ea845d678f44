/** How the files of a recording are called: one file, or a folder of numbered segments beside a folder of bodies. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface SegmentFile {
  readonly number: number
  readonly name: string
  readonly file: string
  readonly isCompressed: boolean
}

export const blobFolder = 'blobs'
/** What is being written, and is nothing yet. */
export const unfinished = '.tmp'

const segmentName = /^(\d{4,9})\.rec\.ndjson(\.zst)?$/

export const plainName = (number: number): string => `${String(number).padStart(4, '0')}.rec.ndjson`

/** A name that ends with a slash means a folder, and so does one that is a folder. */
export function isFolder(path: string): boolean {
  if (/[/\\]$/.test(path)) return true
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** What a recording is called after its file or folder. */
export const recordingName = (path: string): string =>
  path
    .replace(/[/\\]+$/, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.rec\.ndjson$/, '')

/** The segments in a folder, in order; where one is there compressed and plain, the compressed one is whole. */
export function segmentsIn(folder: string): readonly SegmentFile[] {
  const found = new Map<number, SegmentFile>()
  for (const name of readdirSync(folder)) {
    const [, digits, ending] = segmentName.exec(name) ?? []
    if (digits === undefined) continue
    const number = Number(digits)
    const isCompressed = ending !== undefined
    if (isCompressed || !found.has(number))
      found.set(number, { number, name, file: join(folder, name), isCompressed })
  }
  return [...found.values()].sort((a, b) => a.number - b.number)
}
