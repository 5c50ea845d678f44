/** `sparring agenda`: lists and edits the agenda of a running session. */
import { defineVerbGroup } from '../../terminal/cli/verb.ts'
import { agendaAdvanceVerb, agendaPauseVerb, agendaRunVerb } from './agenda-clock.ts'
import {
  agendaDelayVerb,
  agendaDropVerb,
  agendaDuplicateVerb,
  agendaEditVerb,
  agendaHoldVerb,
  agendaMoveVerb,
  agendaReleaseVerb,
} from './agenda-edit.ts'
import { agendaListVerb, agendaStepVerb } from './agenda-list.ts'

export const agendaVerb = defineVerbGroup({
  name: 'agenda',
  summary: 'scheduled actions of a running session: list, step, hold, drop, delay …',
  verbs: [
    agendaListVerb,
    agendaStepVerb,
    agendaHoldVerb,
    agendaReleaseVerb,
    agendaDropVerb,
    agendaDuplicateVerb,
    agendaDelayVerb,
    agendaMoveVerb,
    agendaEditVerb,
    agendaRunVerb,
    agendaPauseVerb,
    agendaAdvanceVerb,
  ],
})
