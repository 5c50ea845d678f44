/** The readiness line and the ready file: scripts wait for them and read the addresses. Their format is stable. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { isAlive } from '../../core/runtime/registry/process-identity.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import { saveOutput } from '../../core/runtime/files/output.ts'
import { removeFile, type WrittenFile } from '../../core/runtime/files/replacement.ts'
import { problem } from '../../core/base/problem.ts'
import type { Connect } from '../../core/session-api/first-contact.ts'
import { type Io, printLine } from './io.ts'

export interface Readiness {
  readonly counterparts: Readonly<Record<string, string>>
  /** The URLs that manifests and events name, where they are configured. */
  readonly publicUrls?: Readonly<Record<string, string>>
  readonly control?: string
  /** The seed, where data is made up. */
  readonly seed?: number
  /** How a service connects; only in the JSON. */
  readonly connect?: Connect
}

const readyLine = ({ counterparts, control }: Readiness): string =>
  [
    'ready',
    ...Object.entries(counterparts).map(([role, url]) => `${role} ${url}`),
    ...(control === undefined ? [] : [`control ${control}`]),
  ].join('  ')

/** Tells how to have the same ids and the same made-up data once more. */
export const seedLine = (seed: number): string => `seed ${seed}, repeat with --seed ${seed}`

const readyJson = ({ connect, ...addresses }: Readiness): string =>
  JSON.stringify({ ready: true, ...addresses, pid: process.pid, connect })

async function writeReadyFile(
  file: string,
  ready: Readiness,
  { cwd, stdout }: Io,
  signal: AbortSignal,
): Promise<WrittenFile | undefined> {
  try {
    const options = { replace: true, cwd, stdout, signal }
    return await saveOutput(file, `${readyJson(ready)}\n`, options)
  } catch (error) {
    if (signal.aborted) return undefined
    throw problem(
      `writing the ready file ${file}`,
      error instanceof Error ? error.message : String(error),
      'Name a file in a folder that can be written to with --ready-file.',
    )
  }
}

interface ReadyOptions {
  readonly json?: true
  readonly 'ready-file'?: string
}

/** The process that wrote a ready file; undefined for another file, and for none. */
function writerOf(path: string): number | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  const value = tryParseJson(readFileSync(path, 'utf8'))
  const pid = isUnknownRecord(value) && value['ready'] === true ? value['pid'] : undefined
  return typeof pid === 'number' ? pid : undefined
}

/** Removes the ready file of a session that was killed: a script that waits for it would go on with dead addresses. */
export function removeStaleReadyFile({ 'ready-file': file }: ReadyOptions, { cwd }: Io): void {
  if (file === undefined) return
  const path = resolve(cwd, file)
  const writer = writerOf(path)
  if (writer !== undefined && !isAlive(writer)) removeFile(path)
}

/**
 * Announces readiness, once a FIFO as the ready file has a reader; disposing of the result deletes the ready file, if
 * it is still ours.
 */
export async function announceReady(
  ready: Readiness,
  options: ReadyOptions,
  io: Io,
  signal: AbortSignal,
): Promise<Disposable> {
  const file = options['ready-file']
  const written = file === undefined ? undefined : await writeReadyFile(file, ready, io, signal)
  await printLine(io.stdout, options.json ? readyJson(ready) : readyLine(ready))
  return {
    [Symbol.dispose]: () => written?.remove(),
  }
}
