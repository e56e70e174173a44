•šï:alice_smithalice@example.com €ŒÇ (€óË¯2
dark:
premium€ÚÐ¾