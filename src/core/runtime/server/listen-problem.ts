/** Listens on a port, and turns a failure into a problem with cause and remedy. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { problem } from '../../base/problem.ts'

const reasons: Readonly<Record<string, readonly [wrong: string, remedy: string]>> = {
  EACCES: ['this user may not use the port', 'Choose one from 1024 up with --port <n>.'],
  EADDRNOTAVAIL: ['this machine has no such address', 'Give --host an address of this machine.'],
  ENOTFOUND: ['no machine has that name', 'Give --host an address of this machine.'],
}

const otherPorts = 'choose others with --port <n>; --port 0 finds free ones.'

/** A taken port names who has it, and the command that ends that. */
async function inUse(port: number): Promise<readonly [wrong: string, remedy: string]> {
  const { portHolder } = await import('./port-holder.ts')
  const { name, stop } = (await portHolder(port)) ?? {}
  return [
    name === undefined ? 'the port is in use' : `the port is in use by ${name}`,
    `${stop === undefined ? 'Stop what uses it' : `Stop it with: ${stop}`}; or ${otherPorts}`,
  ]
}

/** What is wrong with a port, and what to do. */
export async function listenFailure(
  port: number,
  error: unknown,
): Promise<readonly [wrong: string, remedy: string]> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') return inUse(port)
  const message = error instanceof Error ? error.message : String(error)
  return reasons[code] ?? [message, 'Choose another with --host and --port.']
}

export interface ListenPlace {
  readonly address: string
  readonly port: number
}

/** Listens, and resolves to the port; a failure is a problem with cause and remedy. `what` is for whom it listens. */
export async function listenOn(
  server: Server,
  what: string,
  { address, port }: ListenPlace,
): Promise<number> {
  try {
    server.listen(port, address)
    await once(server, 'listening')
  } catch (error) {
    const failure = await listenFailure(port, error)
    throw problem(`listening on ${address}:${port} for ${what}`, ...failure)
  }
  return (server.address() as AddressInfo).port
}
