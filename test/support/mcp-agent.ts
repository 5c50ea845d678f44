/**
 * An agent: the client of the MCP SDK, which starts `sparring mcp` as a process of its own, or as the verb in this process:
 * what its tools answer shows without a start of Node.
 */
import { PassThrough } from 'node:stream'
import { Client, type ClientOptions, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { isUnknownRecord, type UnknownRecord } from '../../src/core/protocol/unknown-record.ts'
import { runVerbs } from './run-in-process.ts'
import { commandLine, emptyFolder } from './spawn-sparring.ts'
import { createTestIo } from './test-io.ts'

interface AgentOptions {
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** The revision of the protocol: 2025-11-25 by `initialize`, or 2026-07-28. */
  readonly revision?: 'legacy' | 'auto'
}

/** A state folder of its own: sessions of other tests are not those of this machine. */
const environmentOf = (cwd: string, env: Readonly<Record<string, string>>) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: cwd,
  XDG_STATE_HOME: cwd,
  ...env,
})

interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (message: string) => void
}

/** What a tool answered. */
export interface AgentAnswer {
  readonly isError: boolean
  /** The text that the model reads. */
  readonly text: string
  readonly exit: unknown
  readonly result: unknown
  readonly more: UnknownRecord | undefined
}

export interface Agent extends AsyncDisposable {
  readonly client: Client
  readonly cwd: string
  /** Of `sparring mcp`. */
  readonly pid: number
  readonly call: (
    name: string,
    input?: UnknownRecord,
    options?: CallOptions,
  ) => Promise<AgentAnswer>
  /** The result of a call that must succeed. */
  readonly result: (name: string, input?: UnknownRecord) => Promise<unknown>
  /** Errors of the connection, such as text on stdout that is no protocol. */
  readonly errors: readonly string[]
  readonly stderr: () => string
}

/** The verb in this process. */
export async function startAgentHere(options: Omit<AgentOptions, 'revision'> = {}): Promise<Agent> {
  const { args = [], cwd = emptyFolder(), env = {} } = options
  const [toServer, toAgent] = [new PassThrough(), new PassThrough()]
  const { io, written } = createTestIo({
    cwd,
    env: environmentOf(cwd, env),
    stdin: () => toServer,
    stdout: toAgent,
  })
  const ended = runVerbs(['mcp', ...args], io)
  const { client, ...agent } = await connect(new StdioServerTransport(toAgent, toServer), 'legacy')
  return {
    ...agent,
    client,
    cwd,
    pid: process.pid,
    stderr: () => written().stderr,
    async [Symbol.asyncDispose]() {
      await client.close()
      toServer.end()
      await ended
    },
  }
}

/** The verb as a process. */
export async function startAgent(options: AgentOptions = {}): Promise<Agent> {
  const { args = [], cwd = emptyFolder(), env = {}, revision = 'legacy' } = options
  const line = commandLine('mcp', ...args)
  const transport = new StdioClientTransport({
    command: line.file,
    args: [...line.args],
    cwd,
    stderr: 'pipe',
    env: environmentOf(cwd, { ...line.env, ...env }),
  })
  let stderr = ''
  transport.stderr?.on('data', (data: Buffer) => (stderr += data.toString()))
  const { client, ...agent } = await connect(transport, revision)
  return {
    ...agent,
    client,
    cwd,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

async function connect(
  transport: Transport,
  revision: NonNullable<AgentOptions['revision']>,
): Promise<Pick<Agent, 'client' | 'call' | 'result' | 'errors'>> {
  const clientOptions: ClientOptions = { versionNegotiation: { mode: revision } }
  const client = new Client({ name: 'agent', version: '1' }, clientOptions)
  const errors: string[] = []
  // The client has one listener, as a member.
  Object.assign(client, {
    onerror({ message }: Error) {
      // The client hands out what was read at once in another order: results before progress.
      if (!message.includes('progress notification for an unknown token')) errors.push(message)
    },
  })
  await client.connect(transport)

  const call: Agent['call'] = async (name, input = {}, { signal, onProgress } = {}) => {
    const answer = await client.callTool(
      { name, arguments: { ...input } },
      {
        timeout: 60_000,
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onprogress: ({ message = '' }) => onProgress(message) } : {}),
      },
    )
    const [content] = answer.content
    const structured = isUnknownRecord(answer.structuredContent) ? answer.structuredContent : {}
    const { exit, result, more } = structured
    return {
      isError: answer.isError === true,
      text: content?.type === 'text' ? content.text : '',
      exit,
      result,
      more: isUnknownRecord(more) ? more : undefined,
    }
  }
  return {
    client,
    call,
    async result(name, input) {
      const answer = await call(name, input)
      if (answer.isError) throw new Error(answer.text)
      return answer.result
    },
    errors,
  }
}
