/** Turns a failed `listen` into a problem with cause and remedy. */
import { type Problem, problem } from '../../problem.ts'

const reasons: Readonly<Record<string, readonly [wrong: string, remedy: string]>> = {
  EADDRINUSE: [
    'the port is in use',
    'Stop what uses it, or choose others with --port <n>; --port 0 finds free ones.',
  ],
  EACCES: ['this user may not use the port', 'Choose one from 1024 up with --port <n>.'],
  EADDRNOTAVAIL: ['this machine has no such address', 'Give --host an address of this machine.'],
  ENOTFOUND: ['nobody knows a machine of that name', 'Give --host an address of this machine.'],
}

export function cannotListen(what: string, host: string, port: number, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  const [wrong, remedy] = reasons[code] ?? [message, 'Choose another with --host and --port.']
  return problem(`listening on ${host}:${port} for ${what}`, wrong, remedy)
}
