"""What is written: programs in verb notation, and the stages that check them."""
