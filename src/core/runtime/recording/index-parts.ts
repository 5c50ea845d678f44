/**
 * The files of an indexed recording, opened on demand and closed by number: a long recording has more segments than a
 * process may have open files. A position is one number for file and offset.
 */
import { type FrameCache, type LineSource, openLineSource } from './line-source.ts'
import { type PartFile, listRecordingFiles } from './recording-files.ts'
import { type ScanEnd, scanLines, type OnLine } from './scan-lines.ts'

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

export class IndexParts {
  readonly #recording: string
  readonly #complain: (part: PartFile, message: string) => void
  readonly #parts = new Map<number, Part>()
  readonly #frames: FrameCache = []
  #isClosed = false

  constructor(recording: string, complain: (part: PartFile, message: string) => void) {
    this.#recording = recording
    this.#complain = complain
  }

  /** Updates the file list: a segment that was compressed meanwhile has the same text in another file. */
  update(files: readonly PartFile[]): readonly PartFile[] {
    for (const file of files) {
      const part = this.#parts.get(file.number)
      if (!part) this.#parts.set(file.number, { file, scanned: 0, source: undefined, users: 0 })
      else if (part.file.file !== file.file) {
        if (part.users === 0) this.#closePart(part)
        part.source = undefined
        part.file = file
      }
    }
    return files
  }

  /** Offset up to which a file was scanned. */
  readonly scanned = (number: number): number => this.#partFor(number).scanned

  setScanned(number: number, at: number): void {
    this.#partFor(number).scanned = at
  }

  /** Scans all lines of a file from an offset, or as many as are enough; less when the index is closed meanwhile. */
  scan(number: number, from: number, take: OnLine, isEnough?: () => boolean): Promise<ScanEnd> {
    return this.#using(this.#partFor(number), (source) =>
      scanLines(source, from, take, () => this.#isClosed || isEnough?.() === true),
    )
  }

  /** Reads `length` bytes at a position. */
  read(position: number, length: number): Promise<Buffer> {
    const part = this.#partFor(partOf(position))
    return this.#withRetry(part, (source) =>
      source.read(position - partBase(part.file.number), length),
    )
  }

  readonly numbers = (): readonly number[] => [...this.#parts.keys()]

  close(): void {
    this.#isClosed = true
    for (const part of this.#parts.values()) if (part.users === 0) this.#closePart(part)
  }

  #closePart(part: Part): void {
    const { source } = part
    part.source = undefined
    void source?.then(
      (opened) => opened.close(),
      () => undefined,
    )
  }

  #makeRoom(): void {
    const open = [...this.#parts.values()].filter(({ source }) => source !== undefined)
    const idle = open.filter(({ users }) => users === 0)
    for (const part of idle.slice(0, Math.max(0, open.length - maxOpen))) this.#closePart(part)
  }

  /** Opens a file for the duration of `work`. */
  async #using<Value>(part: Part, work: (source: LineSource) => Promise<Value>): Promise<Value> {
    if (this.#isClosed) throw new Error(`the index of ${this.#recording} is closed`)
    const { file, scanned } = part
    // Unreadable parts are reported by the first scan only.
    const report = (message: string): void => {
      if (scanned === 0) this.#complain(file, message)
    }
    part.source ??= openLineSource(file.file, report, this.#frames)
    const { source } = part
    part.users++
    try {
      return await work(await source)
    } catch (error) {
      if (part.source === source) part.source = undefined
      throw error
    } finally {
      part.users--
      this.#makeRoom()
      if (this.#isClosed && part.users === 0) this.#closePart(part)
    }
  }

  #partFor(number: number): Part {
    const part = this.#parts.get(number)
    if (!part) throw new Error(`the segment ${number} of ${this.#recording} is not there`)
    return part
  }

  /** The part's new file, if it has changed; else undefined. */
  #movedFile(part: Part): PartFile | undefined {
    const listed = listRecordingFiles(this.#recording)
    const now = listed.ok
      ? listed.value.parts.find(({ number }) => number === part.file.number)
      : undefined
    return now && now.file !== part.file.file ? now : undefined
  }

  async #withRetry<Value>(
    part: Part,
    work: (source: LineSource) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await this.#using(part, work)
    } catch (error) {
      // It may have just been compressed: retry with the new file.
      const now = this.#isClosed ? undefined : this.#movedFile(part)
      if (!now) throw error
      part.file = now
      return this.#using(part, work)
    }
  }
}
