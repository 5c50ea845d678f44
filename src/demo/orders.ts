/** Defects in the handling of orders: reads, reconciliation, steps and deliveries. */
import { defect } from './defect.ts'

export const orderDefects = {
  'prints-unread': defect('prints the kitchen ticket before it has read the order', 'EF-3'),
  'print-jobs-outlive-orders': defect(
    'queues the kitchen ticket, and prints it whatever has become of the order',
    'EF-3',
  ),
  'print-jobs-in-memory': defect(
    'queues the kitchen ticket in memory, and loses it when it is started again',
    'EF-2',
  ),
  'prints-by-event-alone': defect(
    'prints the kitchen ticket when CONFIRMED comes, and never where it was lost',
    'EF-2',
  ),
  'drops-unread-orders': defect(
    'forgets an order that it could not read at once',
    'AK-4',
    'CV-2',
    'WH-1',
  ),
  'reads-per-event': defect('reads the order once for each event of a batch', 'RC-1'),
  'reads-in-a-loop': defect('reads the order every few milliseconds after a 202', 'RC-1', 'RC-3'),
  'last-answer-wins': defect(
    'reads the order for each event by itself, and believes the answer that comes last',
    'CV-6',
    'CV-7',
    'SE-8',
  ),
  'late-answers-count': defect(
    'believes an answer that comes after it was given up, whatever was read since',
    'CV-6',
    'CV-7',
  ),
  'one-queue': defect('deals with one order after the other', 'CV-13'),
  'shares-the-current-order': defect(
    'keeps the order it works on in one place for all, and finds another there after a wait',
    'SE-11',
    'SE-8',
  ),
  'never-reconciles': defect('reads an order only when an event comes', 'CV-1', 'CV-3'),
  'reconciles-only-created': defect(
    'reads only such orders again as are still to be confirmed',
    'CV-3',
    'CV-1',
  ),
  'reconcile-dies-on-error': defect(
    'stops reconciling all orders when one could not be read',
    'CV-4',
  ),
  'reconcile-gives-up': defect('stops reconciling an order that could not be read', 'CV-4'),
  'reconcile-reapplies': defect(
    'does once more what a status asks for, each time it reconciles',
    'CV-5',
    'SE-1',
    'EF-1',
  ),
  'reconciles-for-ever': defect('reads orders again and again after their end', 'RC-2'),
  'waits-for-concluded': defect('reads an order that is over until it is CONCLUDED', 'RC-2'),
  'reconciles-ever-faster': defect('halves the pause between two readings each time', 'RC-3'),
  'acts-on-202': defect('takes a 202 for the status that was asked for', 'SE-6', 'CV-6'),
  'dispatches-when-preparing': defect('dispatches what is not ready yet', 'SE-6', 'CV-1'),
  'timers-outlive-orders': defect(
    'makes the call that it has planned, whatever came in while it waited',
    'SE-3',
  ),
  'finishes-what-it-began': defect(
    'tries a failed call again, whatever came in while it waited',
    'SE-3',
  ),
  'acts-though-unread': defect(
    'goes on from the status that it knows while the order cannot be read',
    'SE-3',
  ),
  'cancels-on-conflict': defect('asks to cancel an order whose call was refused', 'SE-5'),
  'cancels-on-timeout': defect('asks to cancel an order whose call failed four times', 'SE-5'),
  'repeats-refused-at-reconcile': defect(
    'makes a refused call again each time it reads the order',
    'RT-5',
  ),
  'keys-delivery-by-event': defect(
    'keeps a delivery under the event that asked for it instead of under the order',
    'SE-1',
    'CV-5',
  ),
  'new-key-on-retry': defect('tries again under another X-Request-Id', 'SE-2'),
  'new-key-on-redrive': defect(
    'takes another X-Request-Id when it tries again after a cool-down',
    'SE-2',
  ),
  'grows-body-on-retry': defect('writes the number of the attempt into the body', 'SE-2'),
  'never-compensates': defect('leaves the delivery of a cancelled order alone', 'SE-4'),
  'undoes-only-what-was-answered': defect(
    'cancels a delivery only if its creation was answered',
    'SE-4',
  ),
  'gives-up-undoing': defect('tries to cancel a delivery once', 'SE-4'),
  'mixes-orders': defect('fills the delivery from the order that was read last', 'SE-9'),
  'swaps-addresses': defect(
    'has the delivery collected at the customer and brought to the store',
    'SE-9',
  ),
  'reads-local-times-as-utc': defect(
    'reads a time without its offset, and has the courier come hours early or late',
    'SE-9',
  ),
  'adds-up-without-options': defect(
    'adds up the prices of the items for the courier, without their options, fees and discounts',
    'SE-14',
  ),
  'collects-what-is-paid': defect(
    'has the courier collect the whole amount at the door, paid or not',
    'SE-14',
  ),
  'dispatches-without-delivery': defect(
    'dispatches without waiting for the delivery that it asked for',
    'SE-10',
  ),
  'takes-failure-for-created': defect(
    'takes a delivery for created whose creation failed',
    'SE-10',
    'RT-6',
  ),
  // What a process forgets when it dies.
  'stores-what-it-has-read': defect(
    'acknowledges an order that it has in memory alone, and writes it down when it has read it',
    'CV-2',
    'AK-4',
  ),
  'writes-ids-first': defect(
    'writes the id of an event down at once, and its order when it has read that',
    'CV-2',
    'CV-1',
  ),
  'claims-for-ever': defect(
    'takes an order that it had in hand when it died for one that another process works on',
    'CV-1',
    'CV-3',
  ),
  'resumes-nothing': defect(
    'waits for news of the orders that it had in hand when it died',
    'CV-1',
    'CV-3',
  ),
  'dedupes-in-memory': defect(
    'keeps in memory alone what it has done, and does it once more when it is started again',
    'SE-1',
  ),
} as const
