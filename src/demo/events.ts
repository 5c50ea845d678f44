/** Defects in event handling: intake, polling, acknowledgment and webhooks. */
import { defect } from './defect.ts'

export const eventDefects = {
  'forgets-event-ids': defect(
    'does not remember which events it has seen, and does once more what each of them asks for',
    'SE-1',
    'EF-1',
    'CV-12',
  ),
  'dedupes-per-channel': defect(
    'remembers events of each channel by themselves, so one that comes on both happens twice',
    'CV-12',
    'SE-1',
    'EF-1',
  ),
  'checks-then-acts': defect(
    'looks whether it knows an event, and remembers it a moment later: two at one instant are both new',
    'EF-1',
    'SE-1',
  ),
  'prints-before-it-fails': defect(
    'does what an event asks for, then fails because the order cannot be read, and does it again at the next try',
    'EF-1',
    'SE-1',
  ),
  'dedupes-before-handling': defect(
    'remembers an event before it handles it, and skips the next try after its own failure',
    'EF-2',
    'CV-2',
  ),
  'drops-events-of-unknown-orders': defect(
    'throws away what it hears of an order before it has heard CREATED',
    'CV-2',
  ),
  'created-resets-order': defect(
    'takes CREATED for a new order, even when it knew the order already',
    'CV-8',
    'CV-11',
  ),
  'confirms-unread': defect('confirms on CREATED without having read the order', 'SE-7', 'CV-8'),
  'trusts-event-status': defect('takes the status from the event and reads no order', 'SE-7'),
  'trusts-webhook-status': defect(
    'takes the status from events that come by webhook, and reads the order only for those it polled',
    'CV-12',
    'SE-7',
  ),
  'follows-events': defect(
    'sets the status to whatever event came last, backwards too',
    'SE-8',
    'CV-11',
  ),
  'counts-events': defect('moves the order on by one step for each event', 'CV-11', 'SE-6'),
  'global-watermark': defect(
    'ignores an event that is older than the newest it has seen of any order',
    'CV-9',
    'CV-2',
  ),
  'equal-times-are-duplicates': defect(
    'takes two events with the same createdAt for one',
    'CV-9',
    'CV-2',
  ),
  'handles-first-twenty': defect(
    'handles the first twenty events of a batch and acknowledges all',
    'CV-10',
    'CV-2',
  ),
  'skips-page-after-full-page': defect(
    'takes the batch after one of fifty or more for a repetition, and only acknowledges it',
    'CV-10',
    'CV-2',
  ),
  'closes-on-request-accepted': defect(
    'takes CANCELLATION_REQUEST_ACCEPTED for the end of the order',
    'SE-13',
  ),
  'compensates-on-request-accepted': defect(
    'cancels the delivery on CANCELLATION_REQUEST_ACCEPTED',
    'SE-13',
  ),
  'never-resumes': defect(
    'waits for ever for the outcome of a cancellation request that was denied',
    'SE-12',
    'CV-1',
  ),
  'takes-request-for-cancelled': defect(
    'takes the 202 to its cancellation request for the cancellation',
    'SE-12',
    'CV-1',
  ),
  'acks-before-storing': defect(
    'acknowledges first, and stores when that was answered',
    'AK-4',
    'CV-2',
  ),
  'acks-only-new-events': defect(
    'does not acknowledge again what comes again after an acknowledgment was lost',
    'AK-1',
  ),
  'never-acks': defect('never acknowledges', 'AK-1', 'AK-2'),
  'acks-known-types-only': defect('acknowledges only events of types that it uses', 'AK-2'),
  'chokes-on-unknown-types': defect(
    'throws away an event of an unknown type with its acknowledgment',
    'AK-2',
  ),
  'acks-order-ids': defect('acknowledges the id of the order instead of that of the event', 'AK-3'),
  'acks-altered-ids': defect('acknowledges ids in upper case', 'AK-3'),
  'acks-at-end-of-order': defect('acknowledges an event when its order is over', 'AK-5'),
  'acks-every-fifth-poll': defect('acknowledges what five polls have brought', 'AK-5'),
  'acks-in-another-form': defect('acknowledges with a member that no host reads', 'AK-5', 'AK-1'),
  'acks-nothing': defect('acknowledges an empty list after an empty poll', 'AK-6'),
  'acks-filtered-batch': defect(
    'leaves out events that it does not use, and acknowledges what is left, be it nothing',
    'AK-6',
    'AK-2',
  ),
  'poll-dies-on-error': defect('stops polling after a poll that failed', 'PO-1'),
  'poll-waits-for-orders': defect(
    'polls again only when the orders of the last batch are dealt with',
    'PO-1',
    'CV-13',
  ),
  'polls-without-pause': defect('polls again as soon as it has an answer', 'PO-2'),
  'polls-again-at-once': defect('polls again at once as long as events come', 'PO-2'),
  'poll-dies-on-poison': defect('stops polling when an event is malformed', 'PO-3', 'PO-1'),
  'batch-aborts-on-poison': defect(
    'throws away the rest of a batch behind a malformed event',
    'PO-3',
  ),
  'no-poll-timeout': defect('waits for the answer to a poll for ever', 'RT-7', 'PO-1'),
  'ignores-signature': defect('takes webhooks with a wrong signature', 'WH-3'),
  'signature-optional': defect('takes webhooks without a signature', 'WH-3'),
  'signs-what-it-parsed': defect(
    'checks the signature over the body as it would write it, not over the bytes that came',
    'WH-5',
    'CV-2',
  ),
  'throws-at-strange-signatures': defect(
    'compares a signature byte by byte, and answers 500 when it has another length',
    'WH-3',
  ),
  'takes-unknown-for-created': defect(
    'takes an event of an unknown type for CREATED: it begins the order anew',
    'SE-8',
    'EF-1',
  ),
  'acts-for-any-merchant': defect(
    'takes events and works on orders of merchants that are not its own',
    'WH-3',
    'SE-11',
  ),
  'answers-before-storing': defect(
    'answers 204 and stores the event only when the order could be read at the first try',
    'WH-1',
    'CV-2',
  ),
  'webhook-waits-for-order': defect('answers a webhook when the order is dealt with', 'WH-2'),
  'webhook-reads-first': defect('reads the order before it answers a webhook', 'WH-2'),
  'remembers-before-checking': defect(
    'remembers the event before it looks at signature and token, and takes it for known when it comes again',
    'WH-4',
    'CV-2',
  ),
  'acts-before-checking': defect(
    'handles the event before it looks at signature and token, and once more when it comes again',
    'WH-3',
    'WH-4',
  ),
  'refuses-known-events': defect('answers 409 to the webhook of an event that it knows', 'WH-5'),
  'fails-on-late-events': defect(
    'answers 500 to the webhook of an event that tells of an earlier status than it has read',
    'WH-5',
  ),
} as const
