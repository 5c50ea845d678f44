/** File names of a recording: one file, or a folder of numbered segments and a folder of bodies. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface SegmentFile {
  readonly number: number
  readonly name: string
  readonly file: string
  readonly isCompressed: boolean
}

export const blobFolder = 'blobs'

const segmentName = /^(\d{4,9})\.rec\.ndjson(\.zst)?$/

export const segmentFileName = (number: number): string =>
  `${String(number).padStart(4, '0')}.rec.ndjson`

/** Whether a path means a folder: it ends with a slash, or is an existing folder. */
export function isRecordingFolder(path: string): boolean {
  if (/[/\\]$/.test(path)) return true
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The name of a recording, from its file or folder. */
export const recordingName = (path: string): string =>
  path
    .replace(/[/\\]+$/, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.rec\.ndjson$/, '')

/** The segments in a folder, in order. When both plain and compressed exist, the compressed one is complete. */
export function listSegments(folder: string): readonly SegmentFile[] {
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
