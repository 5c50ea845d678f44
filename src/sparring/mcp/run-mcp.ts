/** Implements `sparring mcp`: serves one agent on stdin and stdout until it goes. */
import { Console } from 'node:console'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { compact } from '../../core/base/compact.ts'
import { problem } from '../../core/base/problem.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, isTerminal, printJson, printLine } from '../../terminal/cli/io.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
import { printTable } from '../verbs/support/table.ts'
import type { Verb } from '../../terminal/cli/verb.ts'
import { chooseTools } from './choose-tools.ts'
import { createHostedSessions } from './hosted-sessions.ts'
import { inputSchema } from './input-schema.ts'
import type { McpOptions } from './mcp-flags.ts'
import { listedResources } from './resources.ts'
import { createResultStore } from './result-store.ts'
import { createMcpServer } from './server.ts'
import { type Tool, toolDescription } from './tool.ts'

/** Time limit for calls to end when the agent has gone, so that stopping takes at most two seconds. */
const closeTimeoutMs = 1500

function folderOf({ folder = '.' }: McpOptions, cwd: string): string {
  const path = resolve(cwd, folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw problem(`serving in ${path}`, 'there is no such folder', 'Name one with --folder.')
}

const columns = [
  { title: 'TOOL', cell: ({ row }: Tool) => row.name },
  { title: 'EFFECT', cell: ({ row }: Tool) => row.effect },
  { title: 'WHAT', cell: (tool: Tool) => toolDescription(tool).split('\n')[0] },
] as const

async function listTools(tools: readonly Tool[], { json }: McpOptions, io: Io): Promise<ExitCode> {
  if (json)
    await printJson(
      io,
      tools.map((tool) => ({
        name: tool.row.name,
        description: toolDescription(tool),
        inputSchema: inputSchema(tool),
      })),
    )
  else await printTable(io, tools, columns, 'no tools')
  return exitCode.done
}

/** A stream of which only this module knows the other end: the transport closes what it is given. */
const forwardTo = (stream: NodeJS.WritableStream): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      stream.write(chunk, (error) => done(error ?? null))
    },
  })

/** Text that modules of the user print, such as a configuration in TypeScript, must not be mixed with the protocol. */
function keepStdoutFree({ stderr }: Io): Disposable {
  const before = globalThis.console
  globalThis.console = new Console(stderr, stderr)
  return {
    [Symbol.dispose]: () => {
      globalThis.console = before
    },
  }
}

export async function runMcp(
  options: McpOptions,
  io: Io,
  verbs: readonly Verb[],
): Promise<ExitCode> {
  const tools = chooseTools(options, verbs)
  if (options.list) return listTools(tools, options, io)
  const cwd = folderOf(options, io.cwd)
  using stopping = listenForStop(io)
  using _console = keepStdoutFree(io)
  const say = (text: string): void => void printLine(io.stderr, `sparring: ${text}`)
  const sessions = createHostedSessions({
    cwd,
    env: io.env,
    onError: (name, error) =>
      say(`session ${name} ended: ${error instanceof Error ? error.message : String(error)}`),
  })
  const { control, token } = options
  const context = {
    cwd,
    env: io.env,
    sessions,
    results: createResultStore(),
    session: compact({ control, token }),
  }
  const closing = new AbortController()
  const calls = new Set<Promise<unknown>>()
  const resources = await listedResources()
  const input = io.stdin().pipe(new PassThrough())
  const gone = new Promise<void>((done) => {
    input.once('end', done)
    input.once('close', done)
  })
  const server = serveStdio(
    () =>
      createMcpServer({
        tools,
        context,
        resources,
        signal: closing.signal,
        onCall(call) {
          calls.add(call)
          void call.finally(() => calls.delete(call))
        },
      }),
    {
      transport: new StdioServerTransport(input, forwardTo(io.stdout)),
      onerror: (error) => say(error.message),
    },
  )
  if (isTerminal(io.stdout))
    say(
      'an agent starts this program and talks to it here in the Model Context Protocol; how to add it: docs/agents.md. Ctrl-C ends it.',
    )
  await Promise.race([gone, stopping.stopped])
  closing.abort()
  const timeout = new Promise((done) => setTimeout(done, closeTimeoutMs).unref())
  await Promise.race([Promise.allSettled([...calls, sessions.close()]), timeout])
  await server.close()
  return exitCode.done
}
