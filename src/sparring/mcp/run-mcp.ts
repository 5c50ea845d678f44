/** Implements `sparring mcp`: serves one agent on stdin and stdout until it goes. */
import { Console } from 'node:console'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { compact } from '../../core/base/compact.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, isTerminal, printJson, printLine } from '../../terminal/cli/io.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
import { printTable } from '../verbs/support/table.ts'
import type { Verb } from '../../terminal/cli/verb.ts'
import { HostedSessions } from './hosted-sessions.ts'
import { inputSchema } from './input-schema.ts'
import type { McpOptions } from './mcp-flags.ts'
import { createMessageLimit, maxMessageBytes } from './message-limit.ts'
import { listedResources, resourceFamilies, type ResourceRow } from './resources.ts'
import { createResultStore } from './result-store.ts'
import { createTools, type Tool, toolDescription } from './tool.ts'
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { toolRows } from './tool-rows.ts'
import {
  type CallToolResult,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server'
import { packageVersion } from '../../core/runtime/version.ts'
import { callTool, type ToolCall, type ToolContext, type ToolOutcome } from './call-tool.ts'
import { callResultRead, resultReadTool } from './result-read.ts'

/** The MCP server: tools of the verbs, resources, progress, cancellation. */
interface McpServerParts {
  readonly tools: readonly Tool[]
  readonly context: ToolContext
  readonly resources: readonly ResourceRow[]
  /** Aborted when the connection ends: every call is cancelled then. */
  readonly signal: AbortSignal
  /** Called with each call that runs, until it ends. */
  readonly onCall: (call: Promise<unknown>) => void
}

const instructions = `Sparring is a mock partner for a food-ordering protocol: it plays every counterpart that the user's service does not, breaks the traffic on purpose, and judges the service by the clauses of the protocol.

Usual order: session_start with "as" (the role of the user's service) and "subject" (its URL), orders_create, faults_add, then verdicts and explain. Give the addresses that session_start returns to the service. A session of others is changed only where the argument session names it. Without a session: run plays scenario files, explore searches fault schedules for a broken rule, replay and minimise work on recordings, clauses and catalogue look things up.

An order is named by its slot (o1, o2 …), its id or its number. Times are written 250ms, 5s, 2m. A message that says "sparring orders show" or "--force" means the tool orders_show and the argument force.

A tool answers { exit, meaning, result, notes, more }. Exit 1 is no error of the call: it means that the service broke a rule or that something differs. Where "more" is there the result is a part: result_read reads on. explore, run, minimise and replay may take minutes: bound them with max-time, max-runs, max-replays or grep; they report progress and can be cancelled.

The documentation is at sparring://docs/<page> (start with sparring://docs/agents), a clause at sparring://clauses/<id>.`

/**
 * The interval at which a call that says nothing shows that it goes on: clients give up after a minute without news.
 */
const heartbeatMs = 5000

/** Arguments are checked by the tool itself, whose messages say what to do. */
const unchecked = (schema: Readonly<Record<string, unknown>>): StandardSchemaWithJSON => ({
  '~standard': {
    version: 1,
    vendor: 'sparring',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
  },
})

/** A tool that calls a service may change something there, whatever it does here. */
function annotationsOf({ row: { effect, callsService } }: Tool): ToolAnnotations {
  return {
    readOnlyHint: effect === 'reads' && callsService !== true,
    destructiveHint: effect === 'changes',
    openWorldHint: callsService === true,
  }
}

function resultOf(outcome: ToolOutcome): CallToolResult {
  if (!outcome.ok) return { content: [{ type: 'text', text: outcome.message }], isError: true }
  return {
    content: [{ type: 'text', text: JSON.stringify(outcome.answer) }],
    structuredContent: { ...outcome.answer },
  }
}

/** Sends progress to a client that has asked for it, until it is disposed of. */
function createProgress({
  mcpReq,
}: ServerContext): Disposable & { readonly say: (text: string) => void } {
  const token = mcpReq._meta?.progressToken
  const start = performance.now()
  let text = ''
  let last = 0
  let isOver = token === undefined
  function send(): void {
    if (isOver || token === undefined) return
    // It must grow with every notification.
    last = Math.max(last + 0.001, (performance.now() - start) / 1000)
    const progress = Math.round(last * 1000) / 1000
    const message = text === '' ? `${Math.round(last)} s` : text
    mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress, message },
      })
      .catch(() => undefined)
  }
  const timer = token === undefined ? undefined : setInterval(send, heartbeatMs)
  return {
    say(said) {
      text = said
      send()
    },
    [Symbol.dispose]() {
      isOver = true
      clearInterval(timer)
    },
  }
}

/** A server for one connection; what outlives it is in the context. */
function createMcpServer({ tools, context, resources, signal, onCall }: McpServerParts): McpServer {
  const server = new McpServer(
    { name: 'sparring', title: 'Sparring', version: packageVersion() },
    { instructions, capabilities: { tools: {}, resources: {}, completions: {} } },
  )

  async function answer(
    call: (parts: Omit<ToolCall, 'arguments'>) => Promise<ToolOutcome>,
    request: ServerContext,
  ): Promise<CallToolResult> {
    using progress = createProgress(request)
    const running = call({
      signal: AbortSignal.any([request.mcpReq.signal, signal]),
      onProgress: progress.say,
    })
    onCall(running)
    return resultOf(await running)
  }

  for (const tool of tools)
    server.registerTool(
      tool.row.name,
      {
        description: toolDescription(tool),
        inputSchema: unchecked(inputSchema(tool)),
        annotations: annotationsOf(tool),
      },
      (input, request) =>
        answer((parts) => callTool(tool, { ...parts, arguments: input }, context), request),
    )
  const { name, description } = resultReadTool
  server.registerTool(
    name,
    {
      description,
      inputSchema: unchecked(resultReadTool.inputSchema),
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    },
    (input) => resultOf(callResultRead(input, context.results)),
  )

  for (const row of resources)
    server.registerResource(
      row.name,
      row.uri,
      { description: row.description, mimeType: row.mimeType },
      async (uri) => ({
        contents: [{ uri: uri.href, mimeType: row.mimeType, text: await row.read() }],
      }),
    )
  for (const family of resourceFamilies)
    server.registerResource(
      family.name,
      new ResourceTemplate(family.template, {
        // Pages and schemas are listed one by one; the clauses would be more than 500.
        list: undefined,
        complete: {
          name: async (begun) =>
            (await family.names()).filter((each) =>
              each.toLowerCase().startsWith(begun.toLowerCase()),
            ),
        },
      }),
      { description: family.description, mimeType: family.mimeType },
      async (uri, { name: wanted }) => ({
        contents: [
          {
            uri: uri.href,
            mimeType: family.mimeType,
            text: await family
              .read(Array.isArray(wanted) ? wanted.join('/') : (wanted ?? ''))
              .catch((error: unknown) => {
                throw error instanceof Problem
                  ? new ResourceNotFoundError(uri.href, error.message)
                  : error
              }),
          },
        ],
      }),
    )
  return server
}

/** Chooses the tools that `--read-only` and `--tool` leave. */
const isMeant = (name: string, wanted: string): boolean =>
  name === wanted || name.startsWith(`${wanted}_`)

export function chooseTools(
  { tool: wanted, 'read-only': readOnly }: Pick<McpOptions, 'tool' | 'read-only'>,
  verbs: readonly Verb[],
): readonly Tool[] {
  const names = toolRows.map(({ name }) => name)
  for (const each of wanted ?? [])
    if (!names.some((name) => isMeant(name, each))) {
      const near = findClosestName(each, names)
      throw problem(
        'reading --tool',
        `there is no tool "${each}"`,
        near === undefined ? 'See sparring mcp --list.' : `Did you mean ${near}?`,
      )
    }
  const rows = toolRows.filter(
    ({ name, effect }) =>
      (!readOnly || effect === 'reads') &&
      (wanted === undefined || wanted.some((each) => isMeant(name, each))),
  )
  return createTools(verbs, rows)
}

/** Time limit for calls to end when the agent has gone, so that stopping takes at most two seconds. */
const closeTimeoutMs = 1500

function folderOf({ folder = '.' }: McpOptions, cwd: string): string {
  const path = resolve(cwd, folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw problem(`serving in ${path}`, 'there is no such folder', 'Name one with --folder.')
}

const hostsOf = (url = ''): readonly string[] => (URL.canParse(url) ? [new URL(url).host] : [])

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

/** A stream of which only this module knows the other end: the transport closes its streams. */
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
  const sessions = new HostedSessions({
    cwd,
    env: io.env,
    onError: (name, error) =>
      say(`session ${name} ended: ${error instanceof Error ? error.message : String(error)}`),
  })
  const { control, token } = options
  const context = {
    cwd,
    env: io.env,
    access: {
      folder: cwd,
      runsPrograms: options['read-only'] !== true,
      hosts: [...hostsOf(options.control), ...(options['allow-target'] ?? [])],
    },
    sessions,
    results: createResultStore(),
    session: compact({ control, token }),
  }
  const closing = new AbortController()
  const calls = new Set<Promise<unknown>>()
  const resources = await listedResources()
  const stdin = io.stdin()
  const input = stdin.pipe(
    createMessageLimit((id, error) => {
      io.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`)
    }),
  )
  const transport = new StdioServerTransport(input, forwardTo(io.stdout), {
    maxBufferSize: 2 * maxMessageBytes,
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
      transport,
      onerror: (error) => say(error.message.replaceAll(/\s+/g, ' ').slice(0, 200)),
    },
  )
  // The transport pauses its input when it closes, for whatever reason.
  const gone = new Promise<void>((done) => {
    for (const name of ['end', 'close', 'pause'] as const) input.once(name, done)
    stdin.once('error', done)
  })
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
