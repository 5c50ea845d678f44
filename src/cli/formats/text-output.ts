/** Output of an export: stdout, or a file written atomically, which replaces an existing one only with `--force`. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { makeFolder } from '../../edge/files/make-folder.ts'
import { rawRecordingRefusal } from '../../edge/recording/raw-recording.ts'
import { writeWithBackpressure } from '../../edge/recording/write-with-backpressure.ts'
import { Problem, problem } from '../../problem.ts'
import type { HeaderLine } from '../../traffic/recording/format.ts'
import type { Io } from '../io.ts'

export interface TextOutput {
  readonly write: (text: string) => Promise<void>
  readonly close: () => Promise<void>
  /** Discards the output file. */
  readonly abort: () => Promise<void>
}

const doNothing = (): Promise<void> => Promise.resolve()

/** Write buffer size in characters. */
const bufferChars = 256 * 1024

function createWriteBuffer(write: (text: string) => Promise<void>) {
  let pending = ''
  return {
    write: async (text: string): Promise<void> => {
      pending += text
      if (pending.length < bufferChars) return
      const batch = pending
      pending = ''
      await write(batch)
    },
    rest: (): Promise<void> => write(pending),
  }
}

async function openFile(path: string, attempted: string): Promise<FileHandle> {
  try {
    makeFolder(dirname(path))
    return await open(path, 'w')
  } catch (error) {
    throw new Problem(fileProblem(attempted, error), 2)
  }
}

/** An export of a raw recording contains the same secrets, so it may be written only where a raw recording may be. */
export function checkRawLocation(
  { _rec: { redaction } }: HeaderLine,
  file: string | undefined,
  cwd: string,
): void {
  if (file === undefined || redaction.mode !== 'none') return
  const objection = rawRecordingRefusal(resolve(cwd, file))
  if (objection !== undefined)
    throw new Problem(`${objection}: sparring import redacts a recording`, 2)
}

export async function openTextOutput(
  file: string | undefined,
  force: boolean,
  io: Pick<Io, 'stdout' | 'cwd'>,
): Promise<TextOutput> {
  if (file === undefined) {
    const out = createWriteBuffer((text) => writeWithBackpressure(io.stdout, text))
    return { write: out.write, close: out.rest, abort: doNothing }
  }
  const path = resolve(io.cwd, file)
  const attempted = `exporting to ${file}`
  if (existsSync(path) && !force)
    throw problem(
      attempted,
      'it is there already',
      'Name another file, or write over it with --force',
    )
  const partialFile = `${path}.partial`
  const handle = await openFile(partialFile, attempted)
  const leave = async (): Promise<void> => {
    await handle.close().catch(() => undefined)
    rmSync(partialFile, { force: true })
  }
  const discardOnError = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      await leave()
      throw new Problem(fileProblem(attempted, error), 2)
    }
  }
  const out = createWriteBuffer((text) => discardOnError(() => handle.writeFile(text)))
  return {
    write: out.write,
    async close() {
      await out.rest()
      await discardOnError(async () => {
        await handle.sync()
        await handle.close()
        renameSync(partialFile, path)
      })
    },
    abort: leave,
  }
}
