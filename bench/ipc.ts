/**
 * IPC calls between the bench and its child processes: one request, one reply or an error. Both ends are here, so that
 * names and shapes of the messages are written once.
 */
import type { ChildProcess } from 'node:child_process'
import type { FireResult, LiveResult, MixResult, LoadRequest, LoadTarget } from './load/jobs.ts'

/** CPU time of a process since its start, over all threads, in microseconds. */
export interface CpuUsage {
  readonly cpuMicros: number
}

/** A look of a viewer that had new facts. */
export interface FactArrival {
  /** Number of the oldest of them. */
  readonly first: number
  /** On the wall clock. */
  readonly at: number
}

export interface MemoryUsage {
  readonly rssBytes: number
  /** Heap and external memory after a full garbage collection. */
  readonly liveBytes: number
}

/** Request (`give`) and reply (`get`) of each call, by name. */
export interface IpcCalls {
  readonly usage: { readonly give: object; readonly get: CpuUsage }
  readonly memory: { readonly give: object; readonly get: MemoryUsage }
  /** Resolves when every accepted command has had its effect. */
  readonly calm: { readonly give: object; readonly get: object }
  /** Creates orders (or what the service has instead), announced and in CREATED; returns their ids. */
  readonly create: { readonly give: { readonly count: number }; readonly get: readonly string[] }
  /** Ends these orders, creates as many new ones and returns the new ids. */
  readonly turnOver: {
    readonly give: { readonly orderIds: readonly string[] }
    readonly get: readonly string[]
  }
  /** Sends signed webhooks, `atOnce` in flight; returns how many were accepted. */
  readonly send: {
    readonly give: { readonly count: number; readonly atOnce: number }
    readonly get: { readonly taken: number }
  }
  /** Sends webhooks at a fixed rate; returns how late they were sent, in milliseconds. */
  readonly timed: {
    readonly give: { readonly count: number; readonly perSecond: number }
    readonly get: {
      readonly p50: number
      readonly p99: number
      readonly perSecond: number
      /** CPU of the whole process per webhook, including the preparation before the first. */
      readonly cpuMicros: number
      /** Event loop delay in milliseconds; only where the process does nothing else. */
      readonly loopMs?: { readonly p50: number; readonly p99: number; readonly most: number }
    }
  }
  readonly fire: {
    readonly give: { readonly target: LoadTarget; readonly shots: readonly LoadRequest[] }
    readonly get: FireResult
  }
  readonly live: {
    readonly give: { readonly target: LoadTarget; readonly orderIds: readonly string[] }
    readonly get: LiveResult
  }
  readonly mix: {
    readonly give: {
      readonly target: LoadTarget
      readonly orderIds: readonly string[]
      readonly count: number
      /** Full speed where it is absent. */
      readonly perSecond?: number
    }
    readonly get: MixResult
  }
  /** Opens viewers of a session. */
  readonly watch: {
    readonly give: { readonly control: string; readonly count: number }
    readonly get: object
  }
  /** Closes them; returns how often they looked, and for each what has arrived when. */
  readonly unwatch: {
    readonly give: object
    readonly get: { readonly looks: number; readonly arrivals: readonly (readonly FactArrival[])[] }
  }
  /** Shuts down gracefully; returns the number of recorded exchanges, if it recorded. */
  readonly stop: { readonly give: object; readonly get: { readonly recorded?: number } }
}

export type IpcCallName = keyof IpcCalls

type IpcHandlers = {
  readonly [Name in IpcCallName]?: (
    give: IpcCalls[Name]['give'],
  ) => IpcCalls[Name]['get'] | Promise<IpcCalls[Name]['get']>
}

interface IpcRequest {
  readonly id: number
  readonly ask: IpcCallName
  readonly give: never
}

type IpcReply =
  | { readonly id: number; readonly get: unknown }
  | { readonly id: number; readonly problem: string }

/** The first message of a child: it is listening. */
export interface ChildReady {
  readonly ready: true
  readonly port: number
  readonly token: string
  /** URL of the control API, of a server that has one. */
  readonly control?: string
}

const isReply = (message: unknown): message is IpcReply =>
  typeof message === 'object' && message !== null && 'id' in message && !('ask' in message)

/** In a child: sends that it is ready and serves calls until the parent disconnects. */
export function serveIpc(handlers: IpcHandlers, ready: Omit<ChildReady, 'ready'>): void {
  // Without this, a child would outlive a parent that died.
  process.once('disconnect', () => process.exit(0))
  process.on('message', (message: IpcRequest) => {
    void reply(message, handlers).then((replied) => process.send?.(replied))
  })
  process.send?.({ ready: true, ...ready } satisfies ChildReady)
}

async function reply(
  { id, ask: name, give }: IpcRequest,
  handlers: IpcHandlers,
): Promise<IpcReply> {
  const handler: ((given: never) => unknown) | undefined = handlers[name]
  if (!handler) return { id, problem: `this process knows no ${name}` }
  try {
    return { id, get: await handler(give) }
  } catch (error) {
    return { id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

let lastId = 0

/** In the parent: calls a child, with a timeout in milliseconds. */
export function callChild<Name extends IpcCallName>(
  child: ChildProcess,
  name: Name,
  give: IpcCalls[Name]['give'],
  timeoutMs = 120_000,
): Promise<IpcCalls[Name]['get']> {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const cleanUp = (): void => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const fail = (reason: string): void => {
      cleanUp()
      reject(new Error(`${name}: ${reason}`))
    }
    const onExit = (): void => fail('the process ended')
    const onMessage = (message: unknown): void => {
      if (!isReply(message) || message.id !== id) return
      if ('problem' in message) return fail(message.problem)
      cleanUp()
      resolve(message.get as IpcCalls[Name]['get'])
    }
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs / 1000} s`), timeoutMs)
    child.on('message', onMessage)
    child.once('exit', onExit)
    child.send({ id, ask: name, give }, (error) => {
      if (error) fail(error.message)
    })
  })
}
