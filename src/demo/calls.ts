/** Defects in outgoing calls: retries, waits and tokens. */
import { defect } from './defect.ts'

export const callDefects = {
  'retries-without-pause': defect('tries again at once', 'RT-1', 'RT-2'),
  'retries-in-every-layer': defect('tries each attempt three times over by itself', 'RT-1', 'RT-3'),
  'retries-at-fixed-pace': defect('leaves the same pause between all attempts', 'RT-2'),
  'retries-in-step': defect('has no jitter in its pauses', 'RT-2'),
  'retries-for-ever': defect('never cools down, and leaves the same short pause', 'RT-3'),
  'no-cool-down': defect('begins anew as soon as it has given up', 'RT-3', 'RT-1'),
  'ignores-retry-after': defect('does not read Retry-After', 'RT-4'),
  'retry-after-per-call': defect(
    'waits out Retry-After only for the call that was told, while others of its kind go on',
    'RT-4',
  ),
  'retry-after-in-milliseconds': defect(
    'takes the seconds of Retry-After for milliseconds',
    'RT-4',
  ),
  'retries-refusals': defect('tries again what was refused for good', 'RT-5'),
  'fire-and-forget': defect('never tries again what has failed once', 'RT-6', 'CV-1', 'CV-14'),
  'gives-up-after-four': defect(
    'never comes back to a call that failed four times',
    'RT-6',
    'CV-1',
    'CV-14',
  ),
  'no-client-timeout': defect('waits for answers for ever', 'RT-7', 'CV-1'),
  'retries-one-kind-only': defect('gives up when the second failure is of another kind', 'RT-8'),
  'refreshes-only-at-first': defect(
    'asks for another token only when the first attempt gets a 401',
    'RT-8',
    'TK-2',
  ),
  'token-per-call': defect('asks for a token for each call', 'TK-1'),
  'token-stampede': defect('asks for a token for each call that finds none', 'TK-1'),
  'keeps-rejected-token': defect('goes on with a token that was rejected', 'TK-2'),
  'retries-with-old-token': defect(
    'asks for another token, and repeats the call with the old one',
    'TK-2',
    'TK-3',
  ),
  'forgets-call-at-401': defect('asks for another token, and takes the call for refused', 'TK-3'),
  'takes-401-for-refusal': defect('takes a 401 for a refusal of the call', 'TK-3', 'TK-2'),
} as const
