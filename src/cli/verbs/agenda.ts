/** `sparring agenda`: lists and edits the agenda of a running session. */
import { defineFamily } from '../verb.ts'
import { advance, pause, run } from './agenda-clock.ts'
import { delay, drop, duplicate, edit, hold, move, release } from './agenda-edit.ts'
import { list, step } from './agenda-list.ts'

export const agenda = defineFamily({
  name: 'agenda',
  summary: 'what will happen in a running session: list, step, hold, drop, delay …',
  verbs: [list, step, hold, release, drop, duplicate, delay, move, edit, run, pause, advance],
})
