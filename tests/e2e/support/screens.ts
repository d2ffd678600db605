/** What takes somebody signed in with a subscription, and the heading of each. */
export const PROTECTED = {
  '/dashboard': 'Dashboard',
  '/customers': 'Customers',
  '/contracts': 'Contracts',
  '/profile': 'Profile',
  '/notifications': 'Notifications',
  '/notifications/settings': 'Notification Settings',
  '/notifications/texts': 'Message Texts',
  '/company': 'Company',
  '/reminders': 'Reminders',
  '/test-auth': 'Test authentication',
}
