/** The keys of a certification's screen as texts: help and footer are printed from them, and each has its response in `keys.ts`. */
import type { DocumentedKey } from '../../terminal/dashboard/keys/documented-key.ts'

/** `wish`: a person is asked for something. */
export const certificationContexts = ['procedures', 'wish', 'results', 'details', 'help'] as const
export type CertificationKeyContext = (typeof certificationContexts)[number]

export const certificationKeyIds = [
  'wish.done',
  'wish.skip',
  'move',
  'details',
  'back',
  'help',
  'quit',
  'interrupt',
  'suspend',
] as const
export type CertificationKeyId = (typeof certificationKeyIds)[number]

export interface CertificationKeyText extends DocumentedKey {
  readonly id: CertificationKeyId
  readonly contexts: readonly CertificationKeyContext[]
}

export const certificationKeyTexts: readonly CertificationKeyText[] = [
  {
    id: 'wish.done',
    keys: ['enter'],
    contexts: ['wish'],
    title: 'what is asked for is done at your service',
    footer: 'it is done',
  },
  {
    id: 'wish.skip',
    keys: ['s'],
    contexts: ['wish'],
    title: 'skip it: the procedure that needs it ends, the others go on',
    footer: 'skip it',
  },
  {
    id: 'move',
    keys: [
      'up',
      'down',
      'k',
      'j',
      'pageup',
      'pagedown',
      'ctrl-u',
      'ctrl-d',
      'home',
      'end',
      'g',
      'G',
    ],
    label: 'up down',
    contexts: certificationContexts,
    title: 'the row above or below, or scroll; also k and j, pageup and pagedown, home and end',
    footer: 'choose',
  },
  {
    id: 'details',
    keys: ['enter'],
    contexts: ['results'],
    title: 'the result in full: clause, problems, exchanges, what to change',
    footer: 'details',
  },
  {
    id: 'back',
    keys: ['esc', 'backspace'],
    label: 'esc',
    contexts: ['details', 'help'],
    title: 'back to the list',
    footer: 'back',
    always: true,
  },
  {
    id: 'help',
    keys: ['?'],
    contexts: certificationContexts,
    title: 'all keys',
    footer: 'help',
    always: true,
  },
  {
    id: 'quit',
    keys: ['q'],
    contexts: certificationContexts,
    title: 'leave, when it has ended',
    footer: 'quit',
    always: true,
  },
  {
    id: 'interrupt',
    keys: ['ctrl-c'],
    contexts: certificationContexts,
    title: 'stop after the procedure under way, and report; once more leaves the screen',
    footer: 'stop',
  },
  {
    id: 'suspend',
    keys: ['ctrl-z'],
    contexts: certificationContexts,
    title: 'to the shell; fg comes back',
  },
]
