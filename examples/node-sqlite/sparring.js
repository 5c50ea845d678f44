/** A session of Sparring as a child process, and its control API. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Plays the partners of a point of sale at `serviceUrl`, with these flags of `sparring up`. */
export async function startSparring(serviceUrl, ...flags) {
  // The command that starts Sparring: SPARRING="node ../../bin/sparring.js" in a clone.
  const [file, ...args] = (process.env.SPARRING ?? 'npx sparring').split(' ')
  args.push('up', '--as', 'pos', '--subject', serviceUrl, ...flags)
  // Free ports, twenty times as fast as the wall clock, and nothing on stdout but the line that says where it is.
  args.push('--port', '0', '--speed', '20', '--json', '--quiet')
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`${args.join(' ')} ended with ${code}`))),
  ])
  const ready = JSON.parse(line)

  /** The JSON of the answer; rejects when it is refused. */
  async function call(method, path, body) {
    const answer = await fetch(ready.control + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} is answered ${answer.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    ready,
    call,
    async stop() {
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await call('POST', '/stop', {})
      await ended
      clearTimeout(timer)
    },
  }
}
