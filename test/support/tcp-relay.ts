/** A TCP relay on the loopback interface whose connections a test can cut, as a network does. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpRelay {
  /** The URL of the target, by way of the relay. */
  readonly url: string
  /** Breaks all connections, and new ones at once. */
  readonly cut: () => void
  readonly mend: () => void
  /** Changes where new connections lead to. */
  readonly leadTo: (url: string) => void
  readonly close: () => Promise<void>
}

export async function startTcpRelay(target: string): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  let port = Number(new URL(target).port)
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => void (isCut = false),
    leadTo: (url) => void (port = Number(new URL(url).port)),
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
