/** The tools against the verbs: none is forgotten, and every flag is an argument or hidden for a reason. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { Verb } from '../../terminal/cli/verb.ts'
import { verbs } from '../verbs/catalogue.ts'
import { chooseTools } from './run-mcp.ts'
import { inputSchema } from './input-schema.ts'
import { createTools, toolDescription } from './tool.ts'
import { flagsWithoutArgument, toolRows, verbsWithoutTool } from './tool-rows.ts'

const leafPaths = (verb: Verb): readonly string[] =>
  verb.verbs.length === 0 ? [verb.name] : verb.verbs.map(({ name }) => `${verb.name} ${name}`)

const tools = createTools(verbs)

test('every verb is run by a tool, or has a reason why none runs it', () => {
  const run = toolRows.flatMap((row) => row.verbs)
  const all = verbs.flatMap(leafPaths)
  expect([...new Set([...run, ...Object.keys(verbsWithoutTool)])].toSorted()).toEqual(
    all.toSorted(),
  )
  expect(run.filter((path) => path in verbsWithoutTool)).toEqual([])
})

test('the tools', () => {
  expect(tools.map(({ row: { name, effect } }) => `${name} ${effect}`)).toMatchInlineSnapshot(`
    [
      "session_start adds",
      "session_status reads",
      "session_stop changes",
      "session_reset changes",
      "orders_list reads",
      "orders_show reads",
      "orders_create adds",
      "orders_menu reads",
      "orders_move changes",
      "orders_cancel changes",
      "entities_list reads",
      "entities_show reads",
      "entities_move changes",
      "agenda_list reads",
      "agenda_step changes",
      "agenda_edit changes",
      "agenda_clock changes",
      "events_list reads",
      "events_emit adds",
      "events_enable_webhooks changes",
      "traffic_list reads",
      "traffic_note changes",
      "traffic_resend adds",
      "faults_list reads",
      "faults_add adds",
      "faults_remove changes",
      "faults_end changes",
      "faults_kinds reads",
      "suggest reads",
      "verdicts reads",
      "explain reads",
      "clauses reads",
      "catalogue reads",
      "docs reads",
      "run adds",
      "report adds",
      "explore adds",
      "explore_merge adds",
      "replay adds",
      "minimise adds",
      "certify adds",
      "certify_verify reads",
      "diff reads",
      "import adds",
      "export adds",
      "init adds",
      "doctor reads",
      "schema reads",
    ]
  `)
})

test('what no tool takes is a flag of a verb that a tool runs', () => {
  const flags = new Set(
    tools.flatMap((tool) => tool.verbs.flatMap(({ verb }) => verb.flags)).map(({ name }) => name),
  )
  expect(Object.keys(flagsWithoutArgument).filter((name) => !flags.has(name))).toEqual([])
  // No tool sets or reads a secret.
  for (const name of ['token', 'raw=unsafe']) expect(flagsWithoutArgument).toHaveProperty([name])
})

test.each(tools.map((tool) => [tool.row.name, tool] as const))(
  '%s takes the arguments and flags of its verbs',
  (_name, tool) => {
    const { row } = tool
    const { properties, required = [] } = inputSchema(tool) as {
      readonly properties: Readonly<Record<string, { readonly description: string }>>
      readonly required?: readonly string[]
    }
    const ofVerbs = tool.verbs.flatMap(({ verb }) =>
      [...verb.arguments, ...verb.flags].map(({ name }) => name),
    )
    const left = new Set([
      ...Object.keys(flagsWithoutArgument),
      ...(row.without ?? []),
      ...Object.keys(row.fixed ?? {}),
      ...(row.document ? [row.document.insteadOf] : []),
      ...(row.sessionArgument === undefined ? [] : [row.sessionArgument]),
    ])
    const own = [
      ...(row.name === 'session_start' ? ['name'] : []),
      ...(row.choice ? [row.choice.name] : []),
      ...(row.document ? [row.document.name] : []),
      ...(tool.verbs.some(({ hasSession }) => hasSession) ? ['session'] : []),
    ]
    const expected = new Set([...own, ...ofVerbs.filter((name) => !left.has(name))])
    expect(Object.keys(properties).toSorted()).toEqual([...expected].toSorted())
    expect(required.filter((name) => !expected.has(name))).toEqual([])
    for (const [name, { description }] of Object.entries(properties)) {
      // What clients of language models accept.
      expect(name).toMatch(/^[\w.-]{1,64}$/)
      expect(description.length).toBeGreaterThan(5)
    }
    expect(row.name).toMatch(/^[a-z][a-z_]{1,40}$/)
    expect(toolDescription(tool)).toMatch(/^[A-Z].{10,}/)
  },
)

test('every input schema is JSON Schema, and all of them fit what a model is told at once', () => {
  const ajv = new Ajv2020({ strict: true })
  for (const tool of tools) expect(ajv.compile(inputSchema(tool))).toBeTypeOf('function')
  const told = tools.map((tool) => ({
    name: tool.row.name,
    description: toolDescription(tool),
    inputSchema: inputSchema(tool),
  }))
  expect(JSON.stringify(told).length).toBeLessThan(64_000)
})

test('--read-only and --tool choose tools', () => {
  const names = (options: Parameters<typeof chooseTools>[0]) =>
    chooseTools(options, verbs).map(({ row }) => row.name)
  expect(names({ 'read-only': true })).toContain('verdicts')
  expect(names({ 'read-only': true })).not.toContain('session_start')
  expect(names({ tool: ['orders', 'verdicts'] })).toEqual([
    'orders_list',
    'orders_show',
    'orders_create',
    'orders_menu',
    'orders_move',
    'orders_cancel',
    'verdicts',
  ])
  expect(names({ tool: ['orders'], 'read-only': true })).toEqual([
    'orders_list',
    'orders_show',
    'orders_menu',
  ])
  expect(() => names({ tool: ['verdict'] })).toThrow(
    'reading --tool: there is no tool "verdict". Did you mean verdicts?',
  )
})
