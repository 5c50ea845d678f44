/**
 * A conversation of a raw client with a raw server over TCP: every byte that each of them received, and how the other
 * side ended the connection. Held twice, directly and through something in between, it shows what that changes.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** How the other side ended: by FIN, by RST, or not before this side had closed the connection. */
export type Ending = 'end' | 'reset' | 'own'

export interface RawPeer {
  /** `host:port` of the address that the client called. */
  readonly host: string
  readonly socket: Socket
  /** The first 64 KiB of what was received so far, decoded as latin1. */
  readonly heard: () => string
  /** Resolves once so many bytes were received; rejects when the connection is over before. */
  readonly received: (bytes: number) => Promise<void>
  /** Resolves once this text was received; rejects when the connection is over before. */
  readonly until: (text: string) => Promise<void>
  readonly write: (text: string | Buffer) => void
  /** Sends FIN. */
  readonly end: () => void
  /** Sends RST. */
  readonly reset: () => void
  readonly ending: Promise<Ending>
}

export interface Conversation {
  readonly client: (peer: RawPeer) => Promise<unknown> | void
  readonly server: (peer: RawPeer) => Promise<unknown> | void
}

export interface Heard {
  /** The first 64 KiB. */
  readonly bytes: string
  /** All bytes behind those. */
  readonly rest: { readonly bytes: number; readonly sha256: string }
  readonly ending: Ending
}

export interface Outcome {
  readonly client: Heard
  /** One for each connection. */
  readonly server: readonly Heard[]
}

const keptBytes = 64 * 1024

interface ObservedPeer extends RawPeer {
  readonly outcome: () => Promise<Heard>
}

function rawPeer(socket: Socket, host: string): ObservedPeer {
  let heard = ''
  let rest = 0
  const hash = createHash('sha256')
  const ending = Promise.withResolvers<Ending>()
  const listeners = new Set<() => void>()
  let isOver = false
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    const kept = Math.min(chunk.length, keptBytes - heard.length)
    heard += chunk.toString('latin1', 0, kept)
    rest += chunk.length - kept
    hash.update(chunk.subarray(kept))
    tell()
  })
  socket.on('end', () => ending.resolve('end'))
  socket.on('error', () => ending.resolve('reset'))
  socket.on('close', () => {
    ending.resolve('own')
    isOver = true
    tell()
  })
  const when = (holds: () => boolean, what: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const isSo = holds()
        if (!isSo && !isOver) return
        listeners.delete(look)
        if (isSo) resolve()
        else reject(new Error(`the connection was over before ${what}; heard: ${heard}`))
      }
      listeners.add(look)
      look()
    })
  return {
    host,
    socket,
    heard: () => heard,
    until: (text) => when(() => heard.includes(text), text),
    received: (bytes) => when(() => heard.length + rest >= bytes, `${bytes} bytes`),
    write: (text) => void (socket.writable && socket.write(text, 'latin1')),
    end: () => void socket.end(),
    reset() {
      // Destroyed at once, or else FIN would go before RST.
      socket.resetAndDestroy()
      socket.destroy()
    },
    ending: ending.promise,
    outcome: async () => ({
      ending: await ending.promise,
      bytes: heard,
      rest: { bytes: rest, sha256: hash.copy().digest('hex') },
    }),
  }
}

const closed = async ({ socket }: RawPeer): Promise<void> => {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

/** Whoever has not ended after its script does so when the other side does, as programs do. */
async function endAfter(peer: RawPeer, script: Conversation['client']): Promise<void> {
  await script(peer)
  void peer.ending.then(() => peer.end())
}

/** `via` puts something in between: it gets the server's URL and returns the one to call. */
export async function hold(
  { client: clientScript, server: serverScript }: Conversation,
  via: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<Outcome> {
  const accepted: ObservedPeer[] = []
  const scripts: Promise<unknown>[] = []
  let host = ''
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const peer = rawPeer(socket, host)
    accepted.push(peer)
    scripts.push(endAfter(peer, serverScript))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = await via(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  ;({ host } = new URL(url))
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const client = rawPeer(socket, host)
  await once(socket, 'connect')
  try {
    await endAfter(client, clientScript)
    client.end()
    await closed(client)
    await Promise.all(scripts)
    await Promise.all(accepted.map(closed))
    const heard = await Promise.all(accepted.map((peer) => peer.outcome()))
    return { client: await client.outcome(), server: heard }
  } finally {
    for (const peer of [client, ...accepted]) peer.socket.destroy()
    server.close()
  }
}
