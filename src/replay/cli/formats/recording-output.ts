/**
 * Output file of an import: line file and lock of the session recorder, with backpressure. A new file is written in place,
 * so a crash leaves a truncated recording; a replacement is written beside and renamed on close. For a device or a pipe it
 * is kept in a temporary file first, since secrets that are recognised late are replaced at the end.
 */
import { compact } from '../../../core/base/compact.ts'
import { createReadStream, rmSync } from 'node:fs'
import { makeTemporaryFolder } from '../../../core/runtime/files/file-access.ts'
import { join } from 'node:path'
import { openOutput } from '../../../core/runtime/files/output.ts'
import { type OutputPlace, outputPlaceOf } from '../../../core/runtime/files/output-place.ts'
import { openReplacement } from '../../../core/runtime/files/replacement.ts'
import {
  type AppenderOptions,
  Appender,
  realDisk,
} from '../../../core/runtime/recording/appender.ts'
import { lockFile } from '../../../core/runtime/recording/file-lock.ts'
import { type LineFile, openLineFile } from '../../../core/runtime/recording/line-file.ts'
import { rawFileMode } from '../../../core/runtime/recording/raw-recording.ts'
import {
  lastPassProblem,
  replaceKnownInFile,
} from '../../../core/runtime/recording/replace-known-in-file.ts'
import { fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import type { Redactor } from '../../../core/traffic/redaction/redactor.ts'

export type RecordingOutput = ReturnType<typeof openRecordingOutput>

export interface RecordingOutputOptions {
  readonly file: string
  /** Replace an existing file. */
  readonly force: boolean
  /** It holds secrets: only its owner may read it. */
  readonly isRaw: boolean
  readonly stdout: NodeJS.WritableStream
  readonly disk?: AppenderOptions['disk'] | undefined
}

/** Where the lines are written until they are whole. */
interface Draft {
  readonly target: LineFile
  /** Path of the lines. */
  readonly path: string
  /** A new file is worth keeping when it is incomplete. */
  readonly isNew: boolean
  readonly commit: () => Promise<void>
  readonly discard: () => void
}

/** Pending bytes above which `write` waits for a flush. */
const maxPendingBytes = 1024 * 1024

const unwrap = (opened: ReturnType<typeof openLineFile>): LineFile => {
  if (opened.ok) return opened.value
  throw new Problem(opened.error, 2)
}

function draftOfNew(path: string, { isRaw }: RecordingOutputOptions): Draft {
  const target = unwrap(openLineFile(path, { isPrivate: isRaw }))
  const discard = (): void => rmSync(path, { force: true })
  return { target, path, isNew: true, commit: () => Promise.resolve(), discard }
}

function draftOfReplacement(
  place: Extract<OutputPlace, { kind: 'file' }>,
  { file, isRaw }: RecordingOutputOptions,
): Draft {
  // The file to be replaced must not be in use by a recorder.
  const lock = lockFile(place.path)
  if (!lock.ok) throw new Problem(lock.error, 2)
  try {
    const made = openReplacement(place, { replace: true, mode: isRaw ? rawFileMode : undefined })
    const { path, fd } = made
    return {
      target: { file, path, fd, size: 0, torn: 0, close: () => undefined },
      path,
      isNew: false,
      async commit() {
        made.commit()
        lock.value.release()
      },
      discard() {
        made.discard()
        lock.value.release()
      },
    }
  } catch (error) {
    lock.value.release()
    throw error
  }
}

function draftOfStream({ file, stdout }: RecordingOutputOptions): Draft {
  const folder = makeTemporaryFolder('sparring-import-')
  const path = join(folder, 'recording')
  const discard = (): void => rmSync(folder, { recursive: true, force: true })
  return {
    target: { ...unwrap(openLineFile(path, { isPrivate: true })), file },
    path,
    isNew: false,
    async commit() {
      const output = await openOutput(file, { replace: false, stdout })
      try {
        for await (const bytes of createReadStream(path)) await output.write(bytes as Buffer)
        await output.close()
      } finally {
        output.abort()
        discard()
      }
    },
    discard,
  }
}

function openDraft(options: RecordingOutputOptions): Draft {
  const { file, force } = options
  const attempted = `importing into ${file}`
  try {
    const place = outputPlaceOf(file)
    if (place.kind !== 'file') return draftOfStream(options)
    if (!place.stats) return draftOfNew(place.path, options)
    if (force) return draftOfReplacement(place, options)
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(fileProblem(attempted, error), 2)
  }
  throw problem(
    attempted,
    'it is there already',
    'Name another file with -o, or take its place with --force',
  )
}

export function openRecordingOutput(options: RecordingOutputOptions) {
  const { file, disk } = options
  const draft = openDraft(options)
  const { target, path } = draft
  const attempted = `importing into ${file}`
  const appender = new Appender(target, {
    maxPendingBytes: Number.MAX_SAFE_INTEGER,
    ...compact({ disk }),
  })

  function throwOnProblem(): void {
    const { problem: wrong } = appender.stats()
    if (wrong !== undefined) throw new Problem(wrong, 2)
  }

  return {
    file,
    /** Writes whole lines; resolves when few enough bytes are pending. */
    async write(text: string): Promise<void> {
      if (text !== '') appender.append(text)
      if (appender.stats().pendingBytes < maxPendingBytes) return
      await appender.flush()
      throwOnProblem()
    },
    /** Replaces what was recognised as a secret only behind the place where it stands; nothing is written after it. */
    async lastPass(redactor: Redactor): Promise<void> {
      if ((redactor.known?.secrets() ?? 0) === 0) return
      await appender.flush()
      throwOnProblem()
      try {
        await replaceKnownInFile(path, { redactor, disk: disk ?? realDisk })
      } catch (error) {
        throw new Problem(lastPassProblem(file, error), 2)
      }
    },
    /** Flushes, and renames a replacement. */
    async close(): Promise<void> {
      await appender.flush()
      const { problem: wrong } = appender.stats()
      await appender.close()
      try {
        if (wrong !== undefined || appender.stats().dropped > 0)
          throw new Problem(wrong ?? `${attempted}: the disk did not take all of it`, 2)
        await draft.commit()
      } catch (error) {
        throw error instanceof Problem ? error : new Problem(fileProblem(attempted, error), 2)
      }
    },
    /** Keeps the lines of a new file, if any; discards a replacement. Returns whether the written lines were kept. */
    async abort(): Promise<boolean> {
      await appender.close()
      const stays = draft.isNew && appender.stats().writtenBytes > 0
      if (!stays) draft.discard()
      return stays
    },
  }
}
