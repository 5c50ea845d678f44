/** The MCP server: tools of the verbs, resources, progress, cancellation. */
import {
  type CallToolResult,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server'
import { packageVersion } from '../../core/runtime/version.ts'
import { callTool, type ToolCall, type ToolContext, type ToolOutcome } from './call-tool.ts'
import { inputSchema } from './input-schema.ts'
import { type ResourceRow, resourceFamilies } from './resources.ts'
import { callResultRead, resultReadTool } from './result-read.ts'
import { type Tool, toolDescription } from './tool.ts'

export interface McpServerParts {
  readonly tools: readonly Tool[]
  readonly context: ToolContext
  readonly resources: readonly ResourceRow[]
  /** Aborted when the connection ends: every call is cancelled then. */
  readonly signal: AbortSignal
  /** Called with each call that runs, until it ends. */
  readonly onCall: (call: Promise<unknown>) => void
}

const instructions = `Sparring is a mock partner for a food-ordering protocol: it plays every counterpart that the user's service does not, breaks the traffic on purpose, and judges the service by the clauses of the protocol.

Usual order: session_start with "as" (the role of the user's service) and "subject" (its URL), orders_create, faults_add, then verdicts and explain. Give the addresses that session_start returns to the service. Without a session: run plays scenario files, explore searches fault schedules for a broken rule, replay and minimise work on recordings, clauses and catalogue look things up.

An order is named by its slot (o1, o2 …), its id or its number. Times are written 250ms, 5s, 2m. A message that says "sparring orders show" or "--force" means the tool orders_show and the argument force.

A tool answers { exit, meaning, result, notes, more }. Exit 1 is no error of the call: it means that the service broke a rule or that something differs. Where "more" is there the result is a part: result_read reads on. explore, run, minimise and replay may take minutes: bound them with max-time, max-runs, max-replays or grep; they report progress and can be cancelled.

The documentation is at sparring://docs/<page> (start with sparring://docs/agents), a clause at sparring://clauses/<id>.`

/** The interval at which a call that says nothing shows that it goes on: clients give up after a minute without news. */
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

function annotationsOf({ row: { effect, callsService } }: Tool): ToolAnnotations {
  return {
    readOnlyHint: effect === 'reads',
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
export function createMcpServer({
  tools,
  context,
  resources,
  signal,
  onCall,
}: McpServerParts): McpServer {
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
      (given, request) =>
        answer((parts) => callTool(tool, { ...parts, arguments: given }, context), request),
    )
  const { name, description } = resultReadTool
  server.registerTool(
    name,
    {
      description,
      inputSchema: unchecked(resultReadTool.inputSchema),
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    },
    (given) => resultOf(callResultRead(given, context.results)),
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
            text: await family.read(Array.isArray(wanted) ? wanted.join('/') : (wanted ?? '')),
          },
        ],
      }),
    )
  return server
}
