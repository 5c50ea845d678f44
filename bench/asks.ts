/**
 * What the bench's processes ask of each other over their IPC channel: one request, one reply, or the reason why there
 * is none. Both ends are here, so that the names and shapes of questions are written once.
 */
import type { ChildProcess } from 'node:child_process'
import type { FireResult, LiveResult, MixResult, Shot, Target } from './load/jobs.ts'

/** CPU of a process since it began, all its threads together. */
export interface Usage {
  readonly cpuMicros: number
}

export interface Memory {
  readonly rssBytes: number
  /** What is still in use after a full collection. */
  readonly liveBytes: number
}

/** Question and answer, by name. */
export interface Asks {
  readonly usage: { readonly give: object; readonly get: Usage }
  readonly memory: { readonly give: object; readonly get: Memory }
  /** Resolves when everything that was accepted has had its effect. */
  readonly calm: { readonly give: object; readonly get: object }
  /** Makes orders, announced and in CREATED; answers their ids. */
  readonly create: { readonly give: { readonly count: number }; readonly get: readonly string[] }
  /** Brings these orders to their end, makes as many new ones and answers their ids. */
  readonly turnOver: {
    readonly give: { readonly orderIds: readonly string[] }
    readonly get: readonly string[]
  }
  /** Sends signed webhooks, so many under way at once; answers how many were taken. */
  readonly send: {
    readonly give: { readonly count: number; readonly atOnce: number }
    readonly get: { readonly taken: number }
  }
  /** Sends webhooks at a fixed rate; answers how late they went out, in milliseconds. */
  readonly timed: {
    readonly give: { readonly count: number; readonly perSecond: number }
    readonly get: {
      readonly p50: number
      readonly p99: number
      readonly perSecond: number
      /** CPU of the whole process for each send, with what was made ready before the first. */
      readonly cpuMicros: number
      /** How late the process came to do what was due, by the machine's own reckoning; where it did nothing else. */
      readonly loopMs?: { readonly p50: number; readonly p99: number; readonly most: number }
    }
  }
  readonly fire: {
    readonly give: { readonly target: Target; readonly shots: readonly Shot[] }
    readonly get: FireResult
  }
  readonly live: {
    readonly give: { readonly target: Target; readonly orderIds: readonly string[] }
    readonly get: LiveResult
  }
  readonly mix: {
    readonly give: {
      readonly target: Target
      readonly orderIds: readonly string[]
      readonly count: number
    }
    readonly get: MixResult
  }
  /** Ends in good order; what it has to say about its run comes back. */
  readonly stop: { readonly give: object; readonly get: { readonly recorded?: number } }
}

export type Ask = keyof Asks

type Answers = {
  readonly [Name in Ask]?: (
    give: Asks[Name]['give'],
  ) => Asks[Name]['get'] | Promise<Asks[Name]['get']>
}

interface Question {
  readonly id: number
  readonly ask: Ask
  readonly give: never
}

type Reply =
  { readonly id: number; readonly get: unknown } | { readonly id: number; readonly problem: string }

/** The first message of a process: it is up. */
export interface Ready {
  readonly ready: true
  readonly port: number
  readonly token: string
}

const isReply = (message: unknown): message is Reply =>
  typeof message === 'object' && message !== null && 'id' in message && !('ask' in message)

/** In a child: says that it is up and answers questions until its parent goes away. */
export function answer(answers: Answers, ready: Omit<Ready, 'ready'>): void {
  // A child whose parent died would go on for ever.
  process.once('disconnect', () => process.exit(0))
  process.on('message', (message: Question) => {
    void reply(message, answers).then((got) => process.send?.(got))
  })
  process.send?.({ ready: true, ...ready } satisfies Ready)
}

async function reply({ id, ask: name, give }: Question, answers: Answers): Promise<Reply> {
  const known: ((given: never) => unknown) | undefined = answers[name]
  if (!known) return { id, problem: `this process knows no ${name}` }
  try {
    return { id, get: await known(give) }
  } catch (error) {
    return { id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

let lastId = 0

/** In the parent: one question to a child, with a limit to its patience. */
export function ask<Name extends Ask>(
  child: ChildProcess,
  name: Name,
  give: Asks[Name]['give'],
  patienceMs = 120_000,
): Promise<Asks[Name]['get']> {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer)
      child.off('message', heard)
      child.off('exit', gone)
    }
    const fail = (why: string): void => {
      done()
      reject(new Error(`${name}: ${why}`))
    }
    const gone = (): void => fail('the process ended')
    const heard = (message: unknown): void => {
      if (!isReply(message) || message.id !== id) return
      if ('problem' in message) return fail(message.problem)
      done()
      resolve(message.get as Asks[Name]['get'])
    }
    const timer = setTimeout(() => fail(`no answer within ${patienceMs / 1000} s`), patienceMs)
    child.on('message', heard)
    child.once('exit', gone)
    child.send({ id, ask: name, give }, (error) => {
      if (error) fail(error.message)
    })
  })
}
