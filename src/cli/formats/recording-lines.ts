/**
 * The lines of a recording with their text, one after the other: from a file, or from a folder of segments. What cannot
 * be read is told to whoever asks, and left out.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createZstdDecompress } from 'node:zlib'
import { fileProblem } from '../../edge/file-problem.ts'
import { blobFolder, isFolder, segmentsIn } from '../../edge/recording/recording-names.ts'
import { Problem } from '../../problem.ts'
import { createLineQueue, type NumberedLine } from '../../traffic/formats/line-queue.ts'
import type { Blobs } from '../../traffic/recorded-body.ts'
import { readLine, type RecordedLine } from '../../traffic/recording-reader.ts'

export interface TextLine {
  readonly text: string
  readonly read: RecordedLine
}

type Complain = (where: string, message: string) => void

interface Source {
  readonly file: string
  readonly isCompressed: boolean
}

const sourcesOf = (path: string): readonly Source[] =>
  isFolder(path) ? segmentsIn(path) : [{ file: path, isCompressed: path.endsWith('.zst') }]

async function* linesIn({ file, isCompressed }: Source, complain: Complain) {
  const queue = createLineQueue()
  const stream = createReadStream(file)
  const bytes = isCompressed ? stream.pipe(createZstdDecompress()) : stream
  stream.on('error', (error) => bytes.destroy(error))
  for await (const piece of bytes) yield* queue.feed(piece as Buffer)
  yield* queue.finish()
  for (const { where, message } of queue.problems()) complain(where, message)
}

function readOf({ number, text: raw }: NumberedLine, complain: Complain): TextLine | undefined {
  const text = (number === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim()
  if (text === '') return undefined
  const read = readLine(text)
  if (read.ok) return { text, read: read.value }
  complain(`line ${number}`, read.error)
  return undefined
}

/** A folder has a header in each of its segments; the first is the recording's. */
export async function* recordingLines(path: string, complain: Complain): AsyncGenerator<TextLine> {
  let hasHeader = false
  try {
    for (const source of sourcesOf(path))
      for await (const line of linesIn(source, complain)) {
        const read = readOf(line, complain)
        if (!read || (read.read.kind === 'header' && hasHeader)) continue
        hasHeader ||= read.read.kind === 'header'
        yield read
      }
  } catch (error) {
    throw new Problem(fileProblem(`reading the recording ${path}`, error), 2)
  }
}

/** Bodies that lie beside the lines; no name leads out of their folder. */
export function blobsBeside(path: string): Blobs {
  const folder = join(isFolder(path) ? path : dirname(path), blobFolder)
  return (name) => {
    const file = join(folder, name)
    return /^[\da-f]{64}$/.test(name) && existsSync(file) ? readFileSync(file) : undefined
  }
}
