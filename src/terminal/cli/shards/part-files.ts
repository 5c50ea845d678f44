/** The files of the parts that are merged: which they are, their text, and whether each part has ended. */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode, fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { readTextFile } from '../../../core/runtime/files/text-file.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import { getTextIfThere } from './bucket-transfer.ts'
import { isNamedByPart, nameOfPart } from './shard.ts'
import { isPartUrl, readUrlLines, shownUrl } from './part-urls.ts'

/** As a person reads it: a signature is left out. */
export const shownPart = (name: string): string => (isPartUrl(name) ? shownUrl(name) : name)

/** The arguments of a merge, with `{part}` as numbers and `@file` as the URLs in it. */
export async function partFilesOf(
  named: readonly string[],
  shards: number | undefined,
  cwd: string,
): Promise<readonly string[]> {
  const files: string[] = []
  for (const text of named) {
    const names = text.startsWith('@') ? await readUrlLines(text.slice(1), cwd) : [text]
    for (const name of names) {
      if (!isNamedByPart(name)) {
        files.push(name)
        continue
      }
      if (shards === undefined)
        throw problem(
          `reading ${shownPart(name)}`,
          'nothing says how many parts there are',
          'Say it with --shards 8.',
        )
      for (let part = 1; part <= shards; part++) files.push(nameOfPart(name, { part, of: shards }))
    }
  }
  return files
}

/** Throws a problem where it cannot be read. */
export async function readPartText(name: string, cwd: string): Promise<string> {
  if (!isPartUrl(name)) return readTextFile(name, resolve(cwd, name))
  const text = await getTextIfThere(name)
  if (text !== undefined) return text
  throw problem(`reading ${shownUrl(name)}`, 'there is nothing', 'Wait until that part has ended.')
}

/** More than the record of an end is long. */
const tailBytes = 4096

/** The end of a file, or undefined where there is none. */
async function tailOf(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const length = Math.min(size, tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new Problem(`${fileProblem(`reading ${path}`, error)}.`, 2)
  }
}

/** Whether the last whole line is the record of an end that nothing cut short. */
function isEndedText(text: string): boolean {
  const last = text.endsWith('\n') ? text.slice(0, -1).split('\n').at(-1) : undefined
  if (last === undefined) return false
  try {
    const value: unknown = JSON.parse(last)
    return isUnknownRecord(value) && value['type'] === 'end' && value['reason'] === 'done'
  } catch {
    return false
  }
}

/** A bucket that may not be listed answers 403 where there is nothing: why it is not there is said in the end only. */
async function hasEnded(
  name: string,
  { cwd }: Pick<PartWaitOptions, 'cwd'>,
  signal: AbortSignal,
): Promise<true | string> {
  try {
    const text = isPartUrl(name)
      ? await getTextIfThere(name, { signal })
      : await tailOf(resolve(cwd, name))
    if (text === undefined) return 'it is not there'
    return isEndedText(text) || 'it has not ended'
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

export interface PartWaitOptions {
  readonly files: readonly string[]
  readonly cwd: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface MissingPart {
  /** As it is named. */
  readonly file: string
  readonly because: string
}

const firstPauseMs = 100
const maxPauseMs = 5000

/** Resolves when every part has ended, or the time is over; returns those that have not ended. */
export async function waitForParts(options: PartWaitOptions): Promise<readonly MissingPart[]> {
  const { files, timeoutMs, signal } = options
  const enough = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  let missing: readonly MissingPart[] = files.map((file) => ({ file, because: 'it is not there' }))
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    const looked = await Promise.all(
      missing.map(async ({ file, because }) => {
        const found = await hasEnded(file, options, enough)
        // What an aborted attempt says is no reason.
        return found === true ? [] : [{ file, because: enough.aborted ? because : found }]
      }),
    )
    missing = looked.flat()
    if (missing.length === 0 || enough.aborted) return missing
    await abortableSleep(pauseMs, enough)
  }
}
