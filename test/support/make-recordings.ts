/**
 * `npm run recordings`: regenerates recordings/ by running the commands of the recorded stories as processes, over real
 * sockets
 * and on the real clock. Arguments are names of stories to restrict it to.
 */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Problem, problem } from '../../src/core/base/problem.ts'
import { demonstrationKeyFolder } from './demonstration-key-folder.ts'
import { type StoryAction, type RecordedStory, recordedStories } from './recorded-stories.ts'
import { commandLine, type StartedProcess, startProgram } from './spawn-sparring.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Timeout for an order, in ms. */
const longestMs = 60_000
const lookEveryMs = 200

const Shown = z.object({ row: z.object({ status: z.string() }) })

const environment = { XDG_CONFIG_HOME: demonstrationKeyFolder() }

function begin(command: string): StartedProcess {
  const [, ...args] = command.split(' ')
  return startProgram(commandLine(...args), { cwd: root, env: environment })
}

async function typed(command: string): Promise<string> {
  const { code, stdout, stderr } = await begin(command).ended
  if (code === 0) return stdout
  throw problem(`typing ${command}`, stderr.trim(), 'See what else uses its ports.')
}

async function reached(order: string, status: string): Promise<void> {
  const until = performance.now() + longestMs
  while (performance.now() < until) {
    const { row } = Shown.parse(JSON.parse(await typed(`sparring orders show ${order} --json`)))
    if (row.status === status) return
    await pause(lookEveryMs)
  }
  throw problem(`waiting for ${order}`, `it is not ${status}`, 'Look at the service in its place.')
}

async function perform(action: StoryAction, running: StartedProcess[]): Promise<void> {
  if ('start' in action) {
    const started = begin(action.start)
    running.push(started)
    await started.until((stdout) => stdout.includes('ready'))
    return
  }
  if ('type' in action) await typed(action.type)
  else if ('pause' in action) await pause(action.pause)
  else await reached(action.order, action.until)
}

async function make({ name, actions: operatorActions }: RecordedStory): Promise<void> {
  const file = `recordings/${name}.rec.ndjson`
  rmSync(join(root, file), { force: true })
  const running: StartedProcess[] = []
  try {
    for (const action of operatorActions) await perform(action, running)
  } finally {
    // The service stops first: its errors after the session has ended do not belong into the recording.
    for (const { kill, ended } of running.toReversed()) {
      kill('SIGINT')
      await ended
    }
  }
  print(`${file}  ${Math.round(statSync(join(root, file)).size / 1000)} KB`)
}

try {
  const names = process.argv.slice(2)
  const unknown = names.find((name) => recordedStories.every((story) => story.name !== name))
  if (unknown !== undefined)
    throw problem(
      'making recordings',
      `there is no story ${unknown}`,
      `There are ${recordedStories.map(({ name }) => name).join(', ')}.`,
    )
  for (const story of recordedStories)
    if (names.length === 0 || names.includes(story.name)) await make(story)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof Problem ? error.exit : 1
}
