/** The readiness line and the ready file: scripts wait for them and read the addresses. Their format is stable. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { problem } from '../problem.ts'
import { type Io, printLine } from './io.ts'

export interface Readiness {
  readonly counterparts: Readonly<Record<string, string>>
  readonly control?: string
}

const readyLine = ({ counterparts, control }: Readiness): string =>
  [
    'ready',
    ...Object.entries(counterparts).map(([role, url]) => `${role} ${url}`),
    ...(control === undefined ? [] : [`control ${control}`]),
  ].join('  ')

const readyJson = (ready: Readiness): string =>
  JSON.stringify({ ready: true, ...ready, pid: process.pid })

/** Atomic: written to `<file>.part`, then renamed. */
async function writeReadyFile(file: string, ready: Readiness): Promise<void> {
  const partFile = `${file}.part`
  try {
    await remove(file)
    await writeFile(partFile, `${readyJson(ready)}\n`)
    await rename(partFile, file)
  } catch (error) {
    throw problem(
      `writing the ready file ${file}`,
      error instanceof Error ? error.message : String(error),
      'Name a file in a folder that can be written to with --ready-file.',
    )
  }
}

/** Removes the file of an earlier run, which would announce readiness too early. */
const remove = (file: string): Promise<void> => rm(file, { force: true })

interface ReadyOptions {
  readonly json?: true
  readonly 'ready-file'?: string
}

/** Announces readiness; disposing of the result deletes the ready file. */
export async function announceReady(
  ready: Readiness,
  options: ReadyOptions,
  io: Io,
): Promise<AsyncDisposable> {
  const file =
    options['ready-file'] === undefined ? undefined : resolve(io.cwd, options['ready-file'])
  if (file !== undefined) await writeReadyFile(file, ready)
  await printLine(io.stdout, options.json ? readyJson(ready) : readyLine(ready))
  return {
    [Symbol.asyncDispose]: async () => {
      if (file !== undefined) await remove(file)
    },
  }
}
