import { SITE } from './content.ts'

export interface TextPageContent {
  title: string
  description: string
  lead: string
  sections: { title: string; paragraphs: string[] }[]
}

export const PRIVACY: TextPageContent = {
  title: 'Privacy',
  description: 'What TRAXX stores about you and your customers, who else handles it, and how to export or delete it.',
  lead: 'What we store and why, who else handles it, and how you export or delete it.',
  sections: [
    {
      title: 'What we store',
      paragraphs: [
        'About you: your name, your email address, your time zone, your settings, and the state of your subscription.',
        'About your business: the customers and contracts you enter or import, the PDFs you attach, and a record of every message that was sent and of every answer to one. This data belongs to you. We use it only to show it to you and to send the reminders you ask for.',
        'We do not store your card number or your password. Neither reaches our servers.',
      ],
    },
    {
      title: 'Who else handles it',
      paragraphs: [
        'Clerk stores your sign-in details and verifies who you are. Stripe takes your payments and stores your payment details. A mail provider delivers our messages: reminders to you and your customers, and what you write to us. It tells us which messages were delivered and which bounced. Each of them gets only what it needs for its task.',
        'We do not sell data, show ads, or use trackers. The only cookies are the ones that keep you signed in.',
      ],
    },
    {
      title: "Your customers' data",
      paragraphs: [
        'You decide whose data you enter, and you are responsible for having the right to do so. Reminders go only to customers with notifications enabled, and every one of those messages has an unsubscribe link.',
        'When a customer answers a reminder online, we keep the answer, when it was given, and part of the IP address that it came from: it is proof for you and for your customer. The page for answering sets no cookies and loads nothing from others.',
      ],
    },
    {
      title: 'When you write to us',
      paragraphs: [
        'The contact form asks for your name, your email address, and your message, and emails them to us so that we can answer. If the address belongs to an account, the email says so. TRAXX itself keeps no copy. To prevent abuse, it remembers for one hour which IP address a message came from.',
      ],
    },
    {
      title: 'How long we keep it, and how to leave',
      paragraphs: [
        'We keep your data while you have a trial or a subscription. You can export all of it as one archive and delete your account in your profile, or from the checkout page if you have no subscription. Deleting an account cancels its subscription immediately and removes its customers, contracts, files, reminders, answers, proofs, settings, API keys, and sign-in.',
        `After a trial or subscription ends, we keep your data for ${SITE.keptDays} days, and you can export it until then. After that we delete your account in the same way. We email you twice before: about 30 days and again about 7 days before we delete it.`,
        'Three things stay after an account is deleted. Stripe keeps the records of your payments, because the law requires it. If the account had a free trial, we keep a one-way code (a keyed hash) made from its email address, so that the same address does not get a second one. The address cannot be read from the code. If customers of yours unsubscribed or complained, we keep such codes of their addresses and yours, so that a new account of yours does not write to them again.',
      ],
    },
    {
      title: 'Questions',
      paragraphs: [`Write to ${SITE.email}. A person will answer.`],
    },
  ],
}

export const TERMS: TextPageContent = {
  title: 'Terms',
  description: 'What you can expect from TRAXX, what it costs, how to cancel, and what we expect from you.',
  lead: 'What you can expect from us, what it costs, and what we expect from you.',
  sections: [
    {
      title: 'The service',
      paragraphs: [
        'TRAXX stores your customers and contracts, shows you what is due, and sends reminders before and after renewal dates. One account is for one person.',
        'We work to keep it running at all times, but we cannot promise that it never fails or that every message is delivered. You remain responsible for the dates in your contracts.',
      ],
    },
    {
      title: 'Trial and price',
      paragraphs: [
        'The first 14 days are free. After that, TRAXX Pro costs $29 per month, charged in advance to the card you entered, until you cancel. There are no setup fees. Each person gets one trial.',
        'If our prices change, we tell you by email at least 30 days in advance, and you can cancel before the new price applies.',
      ],
    },
    {
      title: 'Cancellations and refunds',
      paragraphs: [
        'You can cancel at any time in your profile. You keep access until the end of the period you have paid for. If you cancel during the trial, you are not charged.',
        `If TRAXX is not for you, write to ${SITE.email} within 14 days of your first payment, and we refund it in full.`,
      ],
    },
    {
      title: 'Support',
      paragraphs: [
        'Priority support is part of the plan: messages sent with our contact form from the email address of an account with a trial or a subscription are marked, and we answer them first.',
      ],
    },
    {
      title: 'When a payment fails',
      paragraphs: [
        'We try again, and nothing changes for 7 days. After that you can view and export everything, but not change it, until the payment goes through.',
      ],
    },
    {
      title: 'When your subscription ends',
      paragraphs: [
        `We keep your data for ${SITE.keptDays} days after a trial or subscription ends. Until then you can export it, or subscribe again and continue where you left off. After that we delete your account and everything in it. We email you twice before we do.`,
      ],
    },
    {
      title: 'Fair use',
      paragraphs: [
        'Enter only data you have the right to use, send reminders only to people you do business with, and do not try to access other accounts. We may close an account that breaks these rules, after a warning where possible.',
        `The plan has no limit on contracts and clients. To protect everybody from misuse, one account can have ${SITE.mostRecords} customers and contracts, and can email customers ${SITE.mailsADay} times a day (${SITE.mailsADayInTrial} before the first payment). If that is not enough for you, write to ${SITE.email}.`,
      ],
    },
    {
      title: 'Liability',
      paragraphs: [
        'Our liability is limited to what you paid us in the twelve months before the damage, except where the law does not allow such a limit.',
      ],
    },
  ],
}

export const HELP: TextPageContent = {
  title: 'Help',
  description: 'How to set up TRAXX, import contracts, send reminders, manage your plan, and reach a person.',
  lead: 'Short answers to the most common questions. If yours is not here, write to us.',
  sections: [
    {
      title: 'Getting started',
      paragraphs: [
        'Your dashboard shows three steps. Add a customer with an email address, then a contract with its renewal date, or import both from a spreadsheet.',
        'The third step is your company name. Your customers see it as the sender, and messages to them wait until you enter it.',
      ],
    },
    {
      title: 'Importing a spreadsheet',
      paragraphs: [
        'Choose Bulk Upload on the Customers or Contracts page and select a CSV or Excel file. Download Template gives you a file with the right columns.',
        'Rows that cannot be imported are listed with what is wrong, and you can download them, correct them, and upload them again. An import can be undone.',
      ],
    },
    {
      title: 'Reminders',
      paragraphs: [
        'Reminders are sent 30, 14, and 7 days before a renewal date and again the day before, and follow-ups 1, 3, and 7 days after it, unless you change this in the notification settings.',
        'The Reminders page shows what is going out next and what was sent. You can skip a message, snooze it, or send it now.',
        'A customer gets reminders only if notifications are on for that customer and there is an email address.',
      ],
    },
    {
      title: 'Renewing and ending contracts',
      paragraphs: [
        'Renew a contract from the dashboard, from its page, or together with others from the table on the Contracts page. Renewing keeps the earlier term with its price. Use Renew With Changes for another price or date, and Change Price for many contracts at their next renewal.',
        'A contract can also renew automatically. It is then renewed on its renewal date, and you are told. Ending a contract asks for the reason.',
        'Renewing, ending, and reopening a contract can be undone: from the message that confirms it, or on the page of the contract.',
      ],
    },
    {
      title: 'When a customer answers',
      paragraphs: [
        'Reminders have a link to a page where the customer can renew, ask for a change, or say that the contract ends. You are told at once, and further reminders stop.',
        'Answers that wait for you are under Reminders, Answers. In the notification settings you decide whether a renewal takes effect at once, until when customers can answer, and whether the link is in reminders at all.',
      ],
    },
    {
      title: 'Notices and proof',
      paragraphs: [
        'Some contracts only renew by themselves if the customer is told between certain days. Add a notice rule in the notification settings and choose the contracts that it applies to. TRAXX then sends the notice within those days. If it cannot, it warns you 7 and 2 days before the last one and prepares a letter that you can print and mail.',
        'Each notice and each answer has a certificate, under Notices and Answers. Anybody can check one on the page "Verify a certificate", without an account.',
      ],
    },
    {
      title: 'Undoing and restoring',
      paragraphs: [
        'Customers and contracts that you delete stay in the trash for 30 days, with their PDFs and history. Restore them from the menu of your profile.',
      ],
    },
    {
      title: 'When a customer does not get a reminder',
      paragraphs: [
        'Look for the message on the Reminders page: it says whether it was sent, skipped, or failed, and why. The usual reasons are a missing address, an address that bounced, or a customer who unsubscribed.',
      ],
    },
    {
      title: 'Your plan and payments',
      paragraphs: [
        'Your plan, invoices, and card are in your profile. Cancel there at any time.',
        'If a payment fails, nothing changes for 7 days. Update your card in your profile within that time.',
        'If TRAXX is not for you, write to us within 14 days of your first payment, and we refund it in full.',
      ],
    },
    {
      title: 'Your data',
      paragraphs: [
        'Export everything as one archive in your profile. You can also export the customers and contracts you are looking at from their pages.',
        `After a trial or subscription ends, your data is kept for ${SITE.keptDays} days and can be exported until then.`,
      ],
    },
    {
      title: 'Contact a person',
      paragraphs: [`Email ${SITE.email} from the address of your account. We usually answer within one business day.`],
    },
  ],
}

export const ACCOUNT_DELETED: TextPageContent = {
  title: 'Your account has been deleted',
  description: 'Your TRAXX account and its data have been deleted, and any subscription has been canceled.',
  lead: 'You are signed out everywhere, any subscription is canceled, and your customers, contracts, files, and settings are gone. If a service we work with did not respond, the rest is removed automatically.',
  sections: [
    {
      title: 'What we keep',
      paragraphs: [
        'Stripe keeps the records of your payments, as the law requires. We keep a code made from your email address, so that it cannot start a second free trial, and codes for customers who asked not to be contacted. No address can be read from these codes.',
      ],
    },
    {
      title: 'If you come back',
      paragraphs: ['You can sign up again at any time. Your new account will be empty.'],
    },
    {
      title: 'Was this a mistake, or is something missing?',
      paragraphs: [`Write to ${SITE.email}. A person will answer.`],
    },
  ],
}
