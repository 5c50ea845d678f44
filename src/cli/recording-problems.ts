/**
 * Tells on stderr when a recording is in trouble: without a screen nobody would notice, and a recording that is not
 * whole is noticed when it is needed. The screen has it in its header all the time.
 */
import type { SessionApi } from '../session-api/session-api.ts'
import { type Io, sayLine } from './io.ts'

/** Between two looks. */
const everyMs = 1000

/** The same trouble with other numbers in it is no news. */
const kindOf = (problem: string): string => problem.replaceAll(/\d+/g, '#')

/** Tells each kind of trouble once, while it goes on. */
export function tellRecordingProblems(
  face: Pick<SessionApi, 'look' | 'subscribe'>,
  { stderr }: Pick<Io, 'stderr'>,
): Disposable {
  const told = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const problem = (await face.look({})).info.recording?.problem
    if (problem === undefined || told.has(kindOf(problem))) return
    told.add(kindOf(problem))
    await sayLine(stderr, `sparring: ${problem}`)
  }

  const unsubscribe = face.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      void look()
    }, everyMs)
  })
  return {
    [Symbol.dispose]: () => {
      unsubscribe()
      clearTimeout(timer)
    },
  }
}

/** Tells in the end, when the file is closed, what is missing from it. */
export async function tellRecordingEnd(
  face: Pick<SessionApi, 'look'>,
  { stderr }: Pick<Io, 'stderr'>,
): Promise<void> {
  const { recording, counts } = (await face.look({})).info
  if (!recording || recording.written >= counts.exchanges) return
  await sayLine(
    stderr,
    `sparring: the recording ${recording.file} is not whole: ` +
      `${recording.written} of ${counts.exchanges} exchanges are in it`,
  )
}
