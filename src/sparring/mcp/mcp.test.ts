// @module-tag slow
/** `sparring mcp` as an agent uses it, by the client of the SDK over stdin and stdout; where nothing of a process shows, in this one. */
import { writeFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess } from '../../../test/support/run-in-process.ts'
import {
  demoServiceCommand,
  emptyFolder,
  runSparring,
  startProgram,
  startSparring,
} from '../../../test/support/spawn-sparring.ts'
import { type Agent, startAgent, startAgentHere } from '../../../test/support/mcp-agent.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { toolRows } from './tool-rows.ts'
import { words } from '../../../test/support/shell-words.ts'

const recordOf = (value: unknown): UnknownRecord => (isUnknownRecord(value) ? value : {})
const rowsOf = (value: unknown): readonly UnknownRecord[] =>
  Array.isArray(value) ? value.map(recordOf) : []

/** A session without orders of its own, for a service that polls. */
const startSession = (agent: Agent, more: UnknownRecord = {}) =>
  agent
    .result('session_start', { as: 'software-service', 'orders-every': '0', ...more })
    .then(recordOf)

test('an agent finds what its service does wrong: session, order, fault, verdict, explanation', async () => {
  await using agent = await startAgent()
  const started = await startSession(agent, { name: 'shop', speed: 20 })
  expect(started).toMatchObject({
    session: 'shop',
    control: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    connect: { clientId: 'subject' },
  })
  const [added] = rowsOf(
    await agent.result('faults_add', { fault: ['duplicate-late:event=CONFIRMED'] }),
  )
  expect(added).toMatchObject({ id: 1, text: 'duplicate-late:event=CONFIRMED' })
  const { counterparts } = started
  const urls = recordOf(counterparts)
  const service = startProgram({
    file: 'sh',
    args: [
      '-c',
      demoServiceCommand(
        ...words`
          --defect forgets-event-ids --speed 20 --poll 100 --ordering-application-url
          ${String(urls['ordering-application'])} --delivery-platform-url
          ${String(urls['delivery-platform'])}
        `,
      ),
    ],
    env: {},
  })
  try {
    const waited: string[] = []
    const created = await agent.call(
      'orders_create',
      { type: 'DELIVERY', wait: 'DELIVERED', timeout: '40s' },
      { onProgress: (message) => waited.push(message) },
    )
    expect(created.isError ? created.text : '').toBe('')
    expect(recordOf(created.result)['status']).toBe('DELIVERED')
    // At this speed a status may pass between two looks.
    expect(waited.join('\n')).toMatch(/CONFIRMED|PREPARING|READY|IN_DELIVERY/)
    expect(rowsOf(await agent.result('faults_list'))).toMatchObject([{ id: 1, fired: 1 }])

    const verdicts = await agent.call('verdicts')
    expect(verdicts).toMatchObject({ isError: false, exit: 1 })
    const [worst] = rowsOf(verdicts.result)
    expect(worst).toMatchObject({
      id: 'SE-1',
      outcome: 'failed',
      clauses: expect.arrayContaining(['ORD-EVR-03']) as string[],
      remedy: expect.stringContaining('Keep the ids of processed events') as string,
    })
    const part = await agent.call('result_read', {
      result: verdicts.more?.['result'],
      path: '/0/clauseTexts/0',
    })
    expect(recordOf(part.result)).toMatchObject({ id: expect.stringMatching(/^ORD-/) as string })

    const explained = recordOf(await agent.result('explain', { order: 'o1' }))
    expect(JSON.stringify(explained['lines'])).toContain(
      'fault 1 (duplicate-late:event=CONFIRMED) acts on CONFIRMED',
    )
    const [clause] = rowsOf(await agent.result('clauses', { name: 'ORD-EVR-03' }))
    expect(clause).toMatchObject({ says: 'Events are deduplicated by eventId.' })
  } finally {
    service.kill('SIGTERM')
    await service.ended
  }
  expect(await agent.result('session_stop', { session: 'shop' })).toMatchObject([{ ended: true }])
  expect(await agent.result('session_status')).toEqual([])
  expect(agent.errors).toEqual([])
})

test('bad arguments are answered with what was wrong and what to do, and lose nothing', async () => {
  await using agent = await startAgentHere()
  const none = await agent.call('orders_list', { session: 'shop' })
  expect(none.text).toBe(
    'choosing a session: there is no session "shop". Start one with session_start, or name the control URL of one that runs; session_status lists them.',
  )
  await startSession(agent, { name: 'shop', clock: 'stepped' })
  const calls: readonly (readonly [name: string, input: UnknownRecord, message: string])[] = [
    [
      'orders_list',
      { lmit: 3 },
      'calling orders_list: it has no argument "lmit". Did you mean limit?',
    ],
    [
      'orders_list',
      { limit: 0 },
      'calling orders_list: limit is 0. It is a whole number from 1 to 1000.',
    ],
    ['orders_list', { limit: 'all' }, 'limit is "all". It is a whole number from 1 to 1000.'],
    ['orders_list', { status: 'OPEN' }, 'status is "OPEN". It is one of CREATED'],
    ['orders_list', { session: 'shpo' }, 'there is no session "shpo". Did you mean shop?'],
    ['orders_list', { session: {} }, 'calling orders_list: session is {}. It must be text.'],
    ['orders_show', {}, 'calling orders_show: id is missing. It is the order: its slot (o1)'],
    ['orders_show', { id: 'o9' }, 'refused: there is no order o9 (NOT_FOUND)'],
    ['orders_show', { id: ['o1'] }, 'id is ["o1"]. It must be text, and it is a list.'],
    ['orders_move', { id: 'o1', trigger: 'confrim' }, 'Did you mean confirm?'],
    [
      'orders_move',
      { id: 'o1', trigger: 'confirm', force: 'yes' },
      'force is "yes". It must be true or false.',
    ],
    [
      'orders_create',
      { document: 'x' },
      'document is "x". It must be an object, and it is a string.',
    ],
    ['orders_create', { document: { items: 1 } }, 'refused: '],
    ['agenda_edit', { id: 1 }, 'action is missing. It is what to do with the item: hold, release'],
    ['agenda_edit', { action: 'hodl', id: 1 }, 'action is "hodl". It is one of hold'],
    [
      'agenda_edit',
      { action: 'hold', id: 1, duration: '5s' },
      'with action hold it takes no duration. It takes id.',
    ],
    ['agenda_edit', { action: 'hold', id: [] }, 'calling agenda_edit: id is missing.'],
    [
      'agenda_edit',
      { action: 'delay', id: 1, duration: 'soon' },
      '"soon" is no duration. Write 250ms, 5s, 2m or 1h.',
    ],
    [
      'faults_add',
      { fault: 'duplicat' },
      'refused: there is no fault "duplicat": is duplicate meant?',
    ],
    [
      'clauses',
      { name: 'ORD-EVR-99' },
      'listing clauses: no name contains "ORD-EVR-99". Did you mean ORD-EVR-',
    ],
    ['run', { scenario: 'no/*.yaml' }, 'nothing fits "no/*.yaml"'],
    ['explore', { as: 'pos', subject: 'http://example.com' }, 'example.com'],
    [
      'replay',
      { recording: 'gone.rec.ndjson' },
      'gone.rec.ndjson: there is no such file or directory',
    ],
    ['session_start', { name: 'shop' }, 'starting a session: there is a session shop already.'],
    ['session_start', { name: 'a shop' }, 'starting a session: "a shop" is no name for a session.'],
    ['session_start', { config: 'gone.yaml' }, 'gone.yaml'],
  ]
  for (const [name, input, message] of calls) {
    const { isError, text } = await agent.call(name, input)
    expect({ name, input, isError, text }).toEqual({
      name,
      input,
      isError: true,
      text: expect.stringContaining(message) as string,
    })
    expect(text).not.toMatch(/\n +at /)
  }
  await expect(agent.client.callTool({ name: 'order', arguments: {} })).rejects.toThrow(
    'Tool order not found',
  )
  // Numbers stand for text, one value for a list of one.
  await agent.result('orders_create', { type: 'TAKEOUT' })
  const [item] = rowsOf(await agent.result('agenda_list'))
  const held = await agent.call('agenda_edit', { action: 'hold', id: item?.['id'] })
  expect(held.isError ? held.text : '').toBe('')
  expect(
    rowsOf(await agent.result('agenda_list')).find(({ id }) => id === item?.['id']),
  ).toMatchObject({ held: true })
  expect(agent.errors).toEqual([])
})

test('two sessions have names and worlds of their own, and one of another process is used by its URL', async () => {
  const cwd = emptyFolder()
  const env = { XDG_STATE_HOME: cwd }
  await using agent = await startAgent({ cwd })
  const first = await startSession(agent, { clock: 'stepped' })
  const second = await startSession(agent, { clock: 'stepped' })
  expect([first['session'], second['session']]).toEqual(['s1', 's2'])
  expect((await agent.call('orders_list')).text).toBe(
    'choosing a session: 2 run here: s1, s2. Name one with the argument session.',
  )
  await agent.result('orders_create', { session: 's1' })
  await agent.result('orders_create', { session: 's1' })
  await agent.result('orders_create', { session: second['control'] })
  const counts = async () => {
    const lists = ['s1', 's2'].map((session) => agent.result('orders_list', { session }))
    return (await Promise.all(lists)).map((rows) => rowsOf(rows).length)
  }
  expect(await counts()).toEqual([2, 1])
  expect(await agent.result('session_reset', { session: 's1', seed: 7 })).toEqual({ seed: 7 })
  expect(await counts()).toEqual([0, 1])

  const other = startSparring(['up', '--port', '0', '--json', '--quiet', '--clock', 'stepped'], {
    cwd,
    env,
  })
  const ready = recordOf(JSON.parse(await other.until((text) => text.includes('\n'))))
  await using stranger = await startAgentHere({ cwd, env })
  for (const name of ['session_stop', 'session_reset', 'orders_create', 'faults_end'])
    expect(await stranger.call(name)).toMatchObject({
      isError: true,
      text: expect.stringContaining(
        'one of others is changed only where it is named. Start one with session_start, or name one with the argument session',
      ) as string,
    })
  await agent.result('orders_create', { session: ready['control'] })
  expect(
    rowsOf(await agent.result('orders_list', { session: ready['control'] })).length,
  ).toBeGreaterThan(0)
  const listed = rowsOf(await agent.result('session_status'))
  expect(listed.map(({ session, verb }) => [session, verb])).toEqual([
    ['s1', 'mcp'],
    ['s2', 'mcp'],
    [undefined, 'up'],
  ])

  // The process of the agent has two: each is stopped by itself, and the process stays.
  const stopped = await runSparring(['stop', String(first['control'])], { cwd, env })
  expect({ code: stopped.code, stderr: stopped.stderr }).toEqual({ code: 0, stderr: '' })
  expect((await agent.call('orders_list', { session: 's1' })).isError).toBe(true)
  expect(rowsOf(await agent.result('orders_list'))).toHaveLength(1)
  expect(await agent.result('session_stop', { session: ready['control'] })).toMatchObject([
    { ended: true },
  ])
  expect((await other.ended).code).toBe(0)
  expect(rowsOf(await agent.result('session_status'))).toMatchObject([{ session: 's2' }])
})

test('a call that is cancelled ends as on the command line: what was played is reported', async () => {
  const cwd = emptyFolder()
  await using agent = await startAgentHere({ cwd })
  writeFileSync(
    join(cwd, 'long.yaml'),
    'name: Long\nabout: Waits.\nsteps:\n  - create: o1\n  - advance: 1h\norders:\n  o1: { type: TAKEOUT }\n',
  )
  const cancel = new AbortController()
  const written = (async () => {
    for await (const { filename } of watch(cwd)) if (filename === 'report.json') return
  })()
  const call = agent.call(
    'run',
    {
      scenario: ['long.yaml'],
      start: demoServiceCommand('--speed', '20'),
      port: 0,
      reporter: ['json=report.json'],
    },
    {
      signal: cancel.signal,
      onProgress(message) {
        if (message.includes('begins')) cancel.abort('enough')
      },
    },
  )
  await expect(call).rejects.toThrow('enough')
  await written
  const report = recordOf(await import(join(cwd, 'report.json'), { with: { type: 'json' } }))
  expect(report['default']).toMatchObject({ interrupted: true, stopped: 1 })
  expect(await agent.result('session_status')).toEqual([])
})

test('scenarios are run and a long result is cut, the rest is read on', async () => {
  const cwd = emptyFolder()
  await using agent = await startAgentHere({ cwd })
  writeFileSync(
    join(cwd, 'alone.yaml'),
    'name: Alone\nabout: No service.\nsubject: none\nsteps:\n  - create: o1\n  - advance: 5m\norders:\n  o1: { type: TAKEOUT }\n',
  )
  const run = await agent.call('run', { scenario: ['alone.yaml'] })
  expect(run.isError ? run.text : '').toBe('')
  expect(run.exit).toBe(0)
  expect(recordOf(run.result)).toMatchObject({ ok: true, failed: 0 })
  expect(run.text.length).toBeLessThan(26_000)
  expect(run.more?.['sentence']).toMatch(/^This is a part\. The whole is result 1/)
  const steps = await agent.call('result_read', { result: 1, path: '/runs/0/steps' })
  expect(rowsOf(steps.result).length).toBeGreaterThan(0)
})

test('when the agent goes its sessions end with whole recordings, and stdout has held nothing but the protocol', async () => {
  const cwd = emptyFolder()
  // A configuration that prints must not print into the protocol.
  writeFileSync(
    join(cwd, 'sparring.config.ts'),
    `console.log('configured')\nexport default { clock: 'stepped' }\n`,
  )
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'agent', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    {
      id: 2,
      method: 'tools/call',
      params: { name: 'session_start', arguments: { as: 'pos', record: 'a.rec.ndjson' } },
    },
  ]
  const input = messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join('')
  const cut = startSparring(['mcp'], { cwd, env: { XDG_STATE_HOME: cwd }, input })
  expect((await cut.ended).code).toBe(0)

  await using agent = await startAgent({ cwd })
  await startSession(agent, { record: 'b.rec.ndjson' })
  await agent.result('orders_create')
  await agent.client.close()
  expect(agent.errors).toEqual([])
  expect(agent.stderr()).toContain('configured')
  const exported = await runInProcess(['export', 'b.rec.ndjson', '--format', 'curl'], { cwd })
  expect(exported.code).toBe(0)
  const status = await runSparring(['status', '--json'], { cwd, env: { XDG_STATE_HOME: cwd } })
  expect(JSON.parse(status.stdout)).toEqual([])
  for (const line of cut.stdout().trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
})

test('a message that is too long is refused, and the agent is served as ever; its end ends the sessions', async () => {
  await using agent = await startAgent()
  const { control } = await startSession(agent, { record: 'a.rec.ndjson' })
  const note = 'x'.repeat(11 * 2 ** 20)
  await expect(
    agent.client.callTool({ name: 'orders_create', arguments: { note } }),
  ).rejects.toThrow(
    'reading a message: it has more than 10 MiB. Send less at once, or name a file.',
  )
  await agent.result('orders_create', { type: 'TAKEOUT' })
  await agent.client.close()
  expect(agent.errors).toEqual([])
  expect(agent.stderr()).toBe('')
  await expect(fetch(`${String(control)}/session`)).rejects.toThrow('fetch failed')
  const exported = await runInProcess(['export', 'a.rec.ndjson', '--format', 'curl'], {
    cwd: agent.cwd,
  })
  expect(exported.code).toBe(0)
})

test.each(['legacy', 'auto'] as const)(
  'tools, pages and clauses are listed, read and completed (%s)',
  async (revision) => {
    await using agent = await startAgent({ revision })
    const { client } = agent
    expect(client.getNegotiatedProtocolVersion()).toBe(
      revision === 'auto' ? '2026-07-28' : '2025-11-25',
    )
    expect(client.getInstructions()).toContain('session_start')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...toolRows.map(({ name }) => name),
      'result_read',
    ])
    expect(tools.find(({ name }) => name === 'orders_show')).toMatchObject({
      inputSchema: { required: ['id'], additionalProperties: false },
      annotations: { readOnlyHint: true },
    })
    const textAt = async (uri: string): Promise<string> => {
      const [content] = (await client.readResource({ uri })).contents
      return content && 'text' in content ? content.text : ''
    }
    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toContain('sparring://docs/agents')
    expect(await textAt('sparring://docs/configuration/conduct')).toMatch(/^# conduct/)
    // The revisions differ in how a page is asked for, not in what it says.
    const read = revision === 'auto' ? uris : uris.slice(0, 3)
    for (const uri of read) expect((await textAt(uri)).length).toBeGreaterThan(100)
    expect(JSON.parse(await textAt('sparring://clauses/ORD-TRA-02'))).toMatchObject({
      id: 'ORD-TRA-02',
    })
    expect(JSON.parse(await textAt('sparring://clauses/ord-tra'))).toHaveLength(11)
    expect(await textAt('sparring://scenarios/an-event-comes-twice')).toContain('name:')
    await expect(textAt('sparring://clauses/ORD-TRA-99')).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(
        'reading clause "ORD-TRA-99": there is none of that name. Did you mean ORD-TRA-',
      ) as string,
    })
    await expect(textAt('sparring://docs/..%2FREADME')).rejects.toThrow(
      'there is none of that name',
    )
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'sparring://clauses/{name}' },
      argument: { name: 'name', value: 'ord-evr-0' },
    })
    expect(completion.values).toContain('ORD-EVR-03')
    expect(await agent.call('clauses', { name: 'ORD-EVR-03' })).toMatchObject({ isError: false })
  },
)

test('flags that a call leaves open come from the environment and from those of mcp', async () => {
  const other = startSparring(['up', '--port', '0', '--json', '--quiet', '--clock', 'stepped'])
  const ready = recordOf(JSON.parse(await other.until((text) => text.includes('\n'))))
  await using agent = await startAgentHere({
    args: ['--control', String(ready['control']), '--tool', 'orders', '--tool', 'session'],
    env: { SPARRING_SEED: '11', SPARRING_LIMIT: 'many' },
  })
  expect(recordOf(await agent.result('session_start', { as: 'pos' }))).toMatchObject({ seed: 11 })
  await agent.result('orders_create', { type: 'TAKEOUT' })
  expect(await agent.result('orders_show', { id: 'o1' })).toMatchObject({
    row: { profile: 'TAKEOUT' },
  })
  expect((await agent.call('orders_list')).text).toMatch(/^reading SPARRING_LIMIT: "many" cannot/)
  expect(rowsOf(await agent.result('orders_list', { limit: 5, session: 's1' }))).toEqual([])
  await expect(agent.client.callTool({ name: 'verdicts' })).rejects.toThrow('not found')
  other.kill('SIGTERM')
  expect((await other.ended).code).toBe(0)
})

test('sparring mcp refuses what it cannot serve, and prints its tools', async () => {
  const folder = await runSparring(['mcp', '--folder', 'nowhere'])
  expect(folder.code).toBe(2)
  expect(folder.stderr).toContain('there is no such folder. Name one with --folder.')
  const { stdout, code } = await runInProcess(['mcp', '--list', '--read-only'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^TOOL +EFFECT +WHAT\n/)
  expect(stdout).toMatch(/^verdicts +reads +What the rules say/m)
  expect(stdout).not.toContain('session_start')
})
