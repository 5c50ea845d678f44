/**
 * The files of an indexed recording, opened on demand and closed by number: a long recording has more segments than a
 * process may have open files. A position is one number for file and offset.
 */
import { type FrameCache, type LineSource, openLineSource } from './line-source.ts'
import { type PartFile, listRecordingFiles } from './recording-files.ts'
import { type ScanEnd, scanLines, type OnLine } from './scan-lines.ts'

export interface IndexParts {
  /** Updates the file list: a segment that was compressed meanwhile has the same text in another file. */
  readonly update: (files: readonly PartFile[]) => readonly PartFile[]
  /** Offset up to which a file was scanned. */
  readonly scanned: (number: number) => number
  readonly setScanned: (number: number, at: number) => void
  /** Scans all lines of a file from an offset, or as many as are enough; less when the index is closed meanwhile. */
  readonly scan: (
    number: number,
    from: number,
    take: OnLine,
    isEnough?: () => boolean,
  ) => Promise<ScanEnd>
  /** Reads `length` bytes at a position. */
  readonly read: (position: number, length: number) => Promise<Buffer>
  readonly numbers: () => readonly number[]
  readonly close: () => void
}

/** The position of the first byte of a file. */
export const partBase = (number: number): number => number * 2 ** 38
const partOf = (position: number): number => Math.floor(position / 2 ** 38)

interface Part {
  file: PartFile
  scanned: number
  source: Promise<LineSource> | undefined
  /** Number of active readers: it is not closed meanwhile. */
  users: number
}

const maxOpen = 64

export function createIndexParts(
  recording: string,
  complain: (part: PartFile, message: string) => void,
): IndexParts {
  const parts = new Map<number, Part>()
  const frames: FrameCache = []
  let isClosed = false

  function closePart(part: Part): void {
    const { source } = part
    part.source = undefined
    void source?.then(
      (opened) => opened.close(),
      () => undefined,
    )
  }

  function makeRoom(): void {
    const open = [...parts.values()].filter(({ source }) => source !== undefined)
    const idle = open.filter(({ users }) => users === 0)
    for (const part of idle.slice(0, Math.max(0, open.length - maxOpen))) closePart(part)
  }

  /** Opens a file for the duration of `work`. */
  async function using<Value>(
    part: Part,
    work: (source: LineSource) => Promise<Value>,
  ): Promise<Value> {
    if (isClosed) throw new Error(`the index of ${recording} is closed`)
    const { file, scanned } = part
    // Unreadable parts are reported by the first scan only.
    const report = (message: string): void => {
      if (scanned === 0) complain(file, message)
    }
    part.source ??= openLineSource(file.file, report, frames)
    const { source } = part
    part.users++
    try {
      return await work(await source)
    } catch (error) {
      if (part.source === source) part.source = undefined
      throw error
    } finally {
      part.users--
      makeRoom()
      if (isClosed && part.users === 0) closePart(part)
    }
  }

  function partFor(number: number): Part {
    const part = parts.get(number)
    if (!part) throw new Error(`the segment ${number} of ${recording} is not there`)
    return part
  }

  /** The part's new file, if it has changed; else undefined. */
  function movedFile(part: Part): PartFile | undefined {
    const listed = listRecordingFiles(recording)
    const now = listed.ok
      ? listed.value.parts.find(({ number }) => number === part.file.number)
      : undefined
    return now && now.file !== part.file.file ? now : undefined
  }

  async function withRetry<Value>(
    part: Part,
    work: (source: LineSource) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await using(part, work)
    } catch (error) {
      // It may have just been compressed: retry with the new file.
      const now = isClosed ? undefined : movedFile(part)
      if (!now) throw error
      part.file = now
      return using(part, work)
    }
  }

  return {
    update: (files) => {
      for (const file of files) {
        const part = parts.get(file.number)
        if (!part) parts.set(file.number, { file, scanned: 0, source: undefined, users: 0 })
        else if (part.file.file !== file.file) {
          if (part.users === 0) closePart(part)
          part.source = undefined
          part.file = file
        }
      }
      return files
    },
    scanned: (number) => partFor(number).scanned,
    setScanned: (number, at) => (partFor(number).scanned = at),
    scan: (number, from, take, isEnough) =>
      using(partFor(number), (source) =>
        scanLines(source, from, take, () => isClosed || isEnough?.() === true),
      ),
    read: (position, length) => {
      const part = partFor(partOf(position))
      return withRetry(part, (source) => source.read(position - partBase(part.file.number), length))
    },
    numbers: () => [...parts.keys()],
    close: () => {
      isClosed = true
      for (const part of parts.values()) if (part.users === 0) closePart(part)
    },
  }
}
