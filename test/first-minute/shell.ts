/** Commands of a newcomer: run by a shell in a folder, with nothing of this repository's programs in PATH. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'

export interface ShellFolder {
  readonly path: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The environment of a terminal that knows neither the repository nor this script; `node` is the folder of another
 * Node.
 */
export function packageFolder(path: string, node?: string): ShellFolder {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|SPARRING_|NODE_)/i.test(name),
  )
  const paths = (process.env['PATH'] ?? '')
    .split(':')
    .filter((each) => !each.includes('node_modules'))
  return {
    path,
    env: {
      ...Object.fromEntries(kept),
      PATH: [...(node === undefined ? [] : [node]), ...paths].join(':'),
      XDG_STATE_HOME: join(path, '.state'),
    },
  }
}

export interface ShellCommand extends AsyncDisposable {
  readonly output: () => string
  /** The first group of the pattern, once the output has it. */
  readonly until: (pattern: RegExp) => Promise<string>
  /** The output, when it has ended with this exit code. */
  readonly done: (exit?: number) => Promise<string>
}

export function shell({ path, env }: ShellFolder, command: string): ShellCommand {
  const child = spawn('sh', ['-c', command], {
    cwd: path,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString()
      for (const each of listeners) each()
    })
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code))
  })
  return {
    output: () => output,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output)
          if (found) resolve(found[1] ?? found[0])
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`${command} ended: ${output}`)))
      }),
    async done(exit = 0) {
      const code = await ended
      if (code !== exit) throw new Error(`${command} ended with ${String(code)}: ${output}`)
      return output
    },
    async [Symbol.asyncDispose]() {
      // Its children too: npx passes no signal on.
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}
